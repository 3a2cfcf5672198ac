import assert from 'node:assert/strict';
import { ECHO_TOOL } from '../../../src/providers/practice/echoTool.js';
import { rejection } from '../../support/rejection.js';

const never = new AbortController().signal;

async function echoed(args: Parameters<typeof ECHO_TOOL.call>[0]['args']): Promise<unknown> {
  return (await ECHO_TOOL.call({ callId: 'c', name: 'echo', args }, never)).content;
}

describe('The tool echo', () => {
  it('gives back the text of its arguments, or all of them', async () => {
    assert.deepEqual(await echoed({ text: 'hi' }), [{ type: 'text', text: 'hi' }]);
    assert.deepEqual(await echoed({ n: [1] }), [{ type: 'text', text: '{"n":[1]}' }]);
  });

  it('is the only one', async () => {
    assert.deepEqual([ECHO_TOOL.has('echo'), ECHO_TOOL.has('read')], [true, false]);
    const error = await rejection(ECHO_TOOL.call({ callId: 'c', name: 'read', args: {} }, never));
    assert.match(error.message, /read/);
  });
});
