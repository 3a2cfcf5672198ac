import assert from 'node:assert/strict';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { OfferedTool } from '../../../src/engine/request/gather.js';
import type { Request } from '../../../src/engine/request/request.js';
import type { ToolNameRule } from '../../../src/engine/model/model.js';
import { OPEN_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { requestOf } from '../../support/engine/requests.js';

function offered(description: string): OfferedTool {
  const definition = { type: 'toolDefinition', name: 'git__read file', description, schema: { type: 'object' }, isRetired: false } as const;
  return { key: 'tool:git/read file', definition };
}

function chat() {
  const counted: string[] = [];
  const counter: TokenCounter = {
    ...characters,
    count: (text) => {
      counted.push(...(text.includes('"object"') ? [text.split('\n')[1] ?? ''] : []));
      return characters.count(text);
    },
  };
  const factory = new BlockFactory(counter, sha256);
  const request = (tool: OfferedTool, toolNames: ToolNameRule | null): Request =>
    requestOf({ model: withCapabilities(OPEN_MODEL, { toolNames }), tools: [tool] }, factory);
  return { counted, request };
}

const ANY = null;
const LONG = { characters: 'a-z_', maxLength: 64 };
const SHORT = { characters: 'a-z_', maxLength: 16 };

describe('the definition of an offered tool', () => {
  it('is counted once while the tool stays the same, and once more under the name that is sent', () => {
    const { counted, request } = chat();
    const tool = offered('Reads.');
    const first = request(tool, LONG);
    assert.deepEqual(request(tool, LONG), first);
    assert.deepEqual(counted, ['Reads.', 'Reads.']);
  });

  it('is another one once its server has changed the tool', () => {
    const { request } = chat();
    request(offered('Reads.'), LONG);
    const changed = offered('Reads a file.');
    assert.deepEqual(request(changed, LONG), chat().request(changed, LONG));
  });

  it('has the name that each model takes', () => {
    const { request } = chat();
    const tool = offered('Reads.');
    for (const rule of [LONG, SHORT, ANY, LONG]) {
      assert.deepEqual(request(tool, rule), chat().request(tool, rule));
    }
  });
});
