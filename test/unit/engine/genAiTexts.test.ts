import assert from 'node:assert/strict';
import { promptAttributes, replyAttribute } from '../../../src/engine/telemetry/attemptSpan.js';
import { otlpAttributes, unixNano } from '../../../src/engine/telemetry/otlp.js';
import type { Block, WirePart } from '../../../src/engine/model/block.js';

const block = (part: WirePart): Block => ({ part }) as Block;

describe('the texts of a request in the words of the conventions', () => {
  it('are instructions, definitions of tools and messages, with tool results as messages of the role tool', () => {
    const image = { type: 'image', blob: 'ab', mimeType: 'image/png' } as const;
    const schema = { type: 'object', properties: {} };
    const attributes = promptAttributes({
      tools: [block({ type: 'toolDefinition', name: 'look', description: 'Looks.', schema, isRetired: false })],
      system: [block({ type: 'text', text: 'Be brief.' })],
      messages: [
        { role: 'user', blocks: [block({ type: 'text', text: 'What is it?' }), block(image)] },
        {
          role: 'assistant',
          blocks: [
            block({ type: 'reasoning', text: 'Hm.', opaque: 'signed' }),
            block({ type: 'toolCall', id: 'c1', name: 'look', args: { at: 1 } }),
          ],
        },
        {
          role: 'user',
          blocks: [
            block({ type: 'toolResult', callId: 'c1', name: 'look', content: [{ type: 'text', text: 'A pier' }], isError: false }),
            block({ type: 'toolResult', callId: 'c2', name: 'look', content: [{ type: 'text', text: 'A' }, image], isError: false }),
            block({ type: 'text', text: 'And?' }),
          ],
        },
      ],
    });
    const uri = { type: 'uri', modality: 'image', mime_type: 'image/png', uri: 'sha256:ab' };
    assert.deepEqual(attributes, {
      'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
      'gen_ai.tool.definitions': [{ type: 'function', name: 'look', description: 'Looks.', parameters: schema }],
      'gen_ai.input.messages': [
        { role: 'user', parts: [{ type: 'text', content: 'What is it?' }, uri] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'Hm.' },
            { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 1 } },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'tool_call_response', id: 'c1', response: 'A pier' },
            { type: 'tool_call_response', id: 'c2', response: [{ type: 'text', content: 'A' }, uri] },
          ],
        },
        { role: 'user', parts: [{ type: 'text', content: 'And?' }] },
      ],
    });
  });

  it('have the answer with the arguments of calls as they came where they are no JSON, and none without an answer', () => {
    const reply = [{ type: 'text', text: 'So' }, undefined, { type: 'toolCall', id: 'c', name: 'look', rawArgs: '{"at":' }] as const;
    assert.deepEqual(replyAttribute(reply, 'length'), [
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'So' },
          { type: 'tool_call', id: 'c', name: 'look', arguments: '{"at":' },
        ],
        finish_reason: 'length',
      },
    ]);
    assert.equal(replyAttribute([], 'error'), null);
  });
});

describe('OTLP in JSON', () => {
  it('has whole numbers and times as strings, other numbers as they are, and no attribute that is unknown', () => {
    assert.deepEqual(otlpAttributes({ a: 2 ** 40, b: 0.5, c: 'x', d: true, e: null, f: [1, null], g: { h: 'i' } }), [
      { key: 'a', value: { intValue: '1099511627776' } },
      { key: 'b', value: { doubleValue: 0.5 } },
      { key: 'c', value: { stringValue: 'x' } },
      { key: 'd', value: { boolValue: true } },
      { key: 'f', value: { arrayValue: { values: [{ intValue: '1' }, {}] } } },
      { key: 'g', value: { kvlistValue: { values: [{ key: 'h', value: { stringValue: 'i' } }] } } },
    ]);
    assert.equal(unixNano(1_700_000_000_123), '1700000000123000000');
  });
});
