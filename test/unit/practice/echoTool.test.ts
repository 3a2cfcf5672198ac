import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/engine/json.js';
import { ECHO_TOOL } from '../../../src/providers/practice/echoTool.js';

const options = { signal: new AbortController().signal, onProgress: () => undefined, keepBlob: () => Promise.resolve('') };

async function echoed(args: JsonObject): Promise<unknown> {
  return (await ECHO_TOOL.call(args, options)).content;
}

describe('The tool echo', () => {
  it('gives back the text of its arguments, or all of them', async () => {
    assert.deepEqual(await echoed({ text: 'hi' }), [{ type: 'text', text: 'hi' }]);
    assert.deepEqual(await echoed({ n: [1] }), [{ type: 'text', text: '{"n":[1]}' }]);
  });
});
