import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { Block, BlockRole, WirePart } from '../../../src/engine/model/block.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { convert, CONVERTER_VERSION } from '../../../src/providers/practice/convert.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { conversationBlock } from '../../support/engine/blocks.js';

function block(role: BlockRole, part: WirePart, ttl: '5m' | '1h' | null): Block {
  return conversationBlock(JSON.stringify(part), role, part, ttl);
}

const text = (words: string): WirePart => ({ type: 'text', text: words });
const call: WirePart = { type: 'toolCall', id: 'c1', name: 'read', args: { z: 1, a: [true, null] } };
const result: WirePart = {
  type: 'toolResult',
  callId: 'c1',
  name: 'read',
  content: [text('found') as { type: 'text'; text: string }, { type: 'image', blob: 'ff', mimeType: 'image/png' }],
  isError: false,
};
const image: WirePart = { type: 'image', blob: 'ee', mimeType: 'image/jpeg' };
const definition: WirePart = { type: 'toolDefinition', name: 'read', description: 'Reads.', schema: { b: 1, a: 2 }, isRetired: false };
const reasoning: WirePart = { type: 'reasoning', text: 'hm', opaque: 'signed' };
const params = { maxOutputTokens: 100, extraBody: {} };
const empty: Prompt = { tools: [], system: [], messages: [] };

describe('the practice converter', () => {
  it('writes a prompt with all its parts and breakpoints, the keys in a fixed order', () => {
    const prompt: Prompt = {
      tools: [block('tools', definition, '1h')],
      system: [block('system', text('Be brief.'), '5m')],
      messages: [
        { role: 'user', blocks: [block('user', text('look'), null), block('user', image, null)] },
        { role: 'assistant', blocks: [block('assistant', text('I look.'), null), block('assistant', call, null)] },
        { role: 'user', blocks: [block('tool-results', result, '5m')] },
      ],
    };
    const { body, converterVersion } = convert(PRACTICE_STANDARD, prompt, params);
    assert.equal(converterVersion, CONVERTER_VERSION);
    assert.equal(
      body,
      '{"model":"standard","max_tokens":100,' +
        '"tools":[{"type":"toolDefinition","name":"read","description":"Reads.","schema":{"b":1,"a":2},"isRetired":false,"cache":"1h"}],' +
        '"system":[{"type":"text","text":"Be brief.","cache":"5m"}],' +
        '"messages":[' +
        '{"role":"user","content":[{"type":"text","text":"look"},' +
        '{"type":"image","blob":"ee","mimeType":"image/jpeg"}]},' +
        '{"role":"assistant","content":[{"type":"text","text":"I look."},' +
        '{"type":"toolCall","id":"c1","name":"read","args":{"z":1,"a":[true,null]}}]},' +
        '{"role":"tool","content":[{"type":"toolResult","callId":"c1","name":"read",' +
        '"content":[{"type":"text","text":"found"},{"type":"image","blob":"ff","mimeType":"image/png"}],' +
        '"isError":false,"cache":"5m"}]}]}',
    );
  });

  it('gives the same bytes for the same prompt', () => {
    const prompt: Prompt = { ...empty, messages: [{ role: 'user', blocks: [block('user', text('hi'), null)] }] };
    assert.deepEqual(convert(PRACTICE_STANDARD, prompt, params), convert(PRACTICE_STANDARD, prompt, params));
  });

  const misplaced: readonly (readonly [string, Prompt])[] = [
    ['text among the tools', { ...empty, tools: [block('tools', text('x'), null)] }],
    ['an image in the system prompt', { ...empty, system: [block('system', image, null)] }],
    ['a tool call in a user message', { ...empty, messages: [{ role: 'user', blocks: [block('user', call, null)] }] }],
    [
      'reasoning, which the practice model never wrote',
      { ...empty, messages: [{ role: 'assistant', blocks: [block('assistant', reasoning, null)] }] },
    ],
    [
      'user content after tool results',
      { ...empty, messages: [{ role: 'user', blocks: [block('tool-results', result, null), block('user', image, null)] }] },
    ],
    [
      'a tool result after user content',
      { ...empty, messages: [{ role: 'user', blocks: [block('user', text('x'), null), block('tool-results', result, null)] }] },
    ],
  ];
  for (const [what, prompt] of misplaced) {
    it(`rejects ${what} instead of leaving it out`, () => {
      assert.throws(
        () => convert(PRACTICE_STANDARD, prompt, params),
        (error) => error instanceof LoupeError && error.kind === 'protocol' && error.message.includes('does not allow a '),
      );
    });
  }
});
