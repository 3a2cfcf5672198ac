import assert from 'node:assert/strict';
import type { WirePart } from '../../../src/engine/model/block.js';
import { partText, partTokens } from '../../../src/engine/tokens/partTokens.js';
import { characters } from '../../support/engine/ports.js';

describe('what is counted of a wire part', () => {
  const image = { type: 'image', blob: 'f'.repeat(64), mimeType: 'image/png' } as const;
  const cases: readonly (readonly [string, WirePart, string, number])[] = [
    ['the text of a text', { type: 'text', text: 'hello' }, 'hello', 0],
    ['the text of reasoning, not its signature', { type: 'reasoning', text: 'hm', opaque: 'xxxxxxxx' }, 'hm', 0],
    [
      'name and JSON arguments of a tool call, not its id',
      { type: 'toolCall', id: 'call_1', name: 'read', args: { path: 'a', deep: [1] } },
      'read\n{"path":"a","deep":[1]}',
      0,
    ],
    [
      'the texts of a tool result',
      {
        type: 'toolResult',
        callId: 'call_1',
        name: 'read',
        content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }],
        isError: false,
      },
      'a\n\nb',
      1,
    ],
    [
      'name, description and schema of a tool definition',
      { type: 'toolDefinition', name: 'read', description: 'Reads.', schema: { type: 'object' }, isRetired: false },
      'read\nReads.\n{"type":"object"}',
      0,
    ],
    ['a fixed number for an image', image, '', 1],
  ];
  for (const [what, part, text, images] of cases) {
    it(`is ${what}`, () => {
      assert.equal(partText(part), text);
      assert.equal(
        partTokens(part, characters, () => 100),
        text.length + images * 100,
      );
    });
  }
});
