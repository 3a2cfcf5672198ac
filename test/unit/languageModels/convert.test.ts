import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { Block, BlockRole, WirePart } from '../../../src/engine/model/block.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { convert, CONVERTER_VERSION } from '../../../src/host/models/languageModels/convert.js';
import type { LmRequest } from '../../../src/host/models/languageModels/wire.js';
import { conversationBlock } from '../../support/engine/blocks.js';

function block(key: string, role: BlockRole, part: WirePart): Block {
  return conversationBlock(key, role, part, '5m');
}

const text = (words: string): { readonly type: 'text'; readonly text: string } => ({ type: 'text', text: words });
const call = (id: string): WirePart => ({ type: 'toolCall', id, name: 'read', args: { z: 1, a: [true, null] } });
const result = (callId: string, isError: boolean): WirePart => ({
  type: 'toolResult',
  callId,
  name: 'read',
  content: [text(`of ${callId}`)],
  isError,
});
const image: WirePart = { type: 'image', blob: 'ee', mimeType: 'image/jpeg' };
const reasoning: WirePart = { type: 'reasoning', text: 'hm', opaque: 'signed' };
const definition: WirePart = { type: 'toolDefinition', name: 'read', description: 'Reads.', schema: { type: 'object' }, isRetired: false };
/** Base64 by blob. */
const IMAGES = new Map([['ee', 'AAEC']]);
const params = { maxOutputTokens: 100, extraBody: {} };
const empty: Prompt = { tools: [], system: [], messages: [] };
/** The keys of the blocks are the parts, so that a call and its result differ. */
const FOR = {
  ref: { provider: 'vscode.maker', model: 'large' },
  capabilities: { userContentAfterToolResults: true, callIds: 'any' as const },
};

const user = (...parts: WirePart[]): Prompt['messages'][number] => ({
  role: 'user',
  blocks: parts.map((part) => block(JSON.stringify(part), part.type === 'toolResult' ? 'tool-results' : 'user', part)),
});
const assistant = (...parts: WirePart[]): Prompt['messages'][number] => ({
  role: 'assistant',
  blocks: parts.map((part) => block(JSON.stringify(part), 'assistant', part)),
});

function request(prompt: Prompt): LmRequest {
  return JSON.parse(convert(FOR, prompt, params, IMAGES).body) as LmRequest;
}

describe('the converter for the language models of VS Code', () => {
  it('writes a prompt with all its parts, the keys in a fixed order', () => {
    const prompt: Prompt = {
      tools: [block('t', 'tools', definition)],
      system: [block('s0', 'system', text('Be brief.')), block('s1', 'system', text('Be kind.'))],
      messages: [
        user(text('look'), text('here')),
        assistant(text('I look.'), call('c1'), call('c2')),
        user(result('c1', false), result('c2', true)),
      ],
    };
    const { body, converterVersion } = convert(FOR, prompt, { maxOutputTokens: 100, extraBody: { temperature: 0 } }, IMAGES);
    assert.equal(converterVersion, CONVERTER_VERSION);
    assert.equal(
      body,
      '{"messages":[' +
        '{"role":"user","content":[{"type":"text","text":"Be brief."},{"type":"text","text":"Be kind."}]},' +
        '{"role":"user","content":[{"type":"text","text":"look"},{"type":"text","text":"here"}]},' +
        '{"role":"assistant","content":[{"type":"text","text":"I look."},' +
        '{"type":"toolCall","id":"c1","name":"read","args":{"z":1,"a":[true,null]}},' +
        '{"type":"toolCall","id":"c2","name":"read","args":{"z":1,"a":[true,null]}}]},' +
        '{"role":"user","content":[{"type":"toolResult","callId":"c1","content":[{"type":"text","text":"of c1"}]},' +
        '{"type":"toolResult","callId":"c2","content":[{"type":"text","text":"of c2"}]}]}],' +
        '"tools":[{"name":"read","description":"Reads.","inputSchema":{"type":"object"}}],' +
        '"modelOptions":{"temperature":0}}',
    );
  });

  it('makes the system prompt the first user message, and no message of none', () => {
    const messages = [user(text('hello'))];
    assert.deepEqual(request({ ...empty, system: [block('s', 'system', text('Be brief.'))], messages }).messages, [
      { role: 'user', content: [text('Be brief.')] },
      { role: 'user', content: [text('hello')] },
    ]);
    assert.deepEqual(request({ ...empty, messages }).messages, [{ role: 'user', content: [text('hello')] }]);
  });

  it('splits what the user says after tool results from them', () => {
    const { messages } = request({ ...empty, messages: [user(result('c1', false), text('and now?'))] });
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content.map(({ type }) => type)]),
      [
        ['user', ['toolResult']],
        ['user', ['text']],
      ],
    );
  });

  it('keeps the messages apart and in their order, and every word as it is', () => {
    const messages = [user(text('one \uD800'), text(' two\n')), assistant(text('three')), user(text('four'))];
    assert.deepEqual(request({ ...empty, messages }).messages, [
      { role: 'user', content: [text('one \uD800'), text(' two\n')] },
      { role: 'assistant', content: [text('three')] },
      { role: 'user', content: [text('four')] },
    ]);
  });

  it('sends ids that other providers gave in a form that all take, the same in a call and its result', () => {
    const long = 'c'.repeat(64);
    const messages = [user(text('go')), assistant(call(long), call(`${long}c`)), user(result(long, false), result(`${long}c`, false))];
    const contents = request({ ...empty, messages })
      .messages.slice(1)
      .map(({ content }) => content);
    const ids = contents.map((content) =>
      content.map((part) => (part.type === 'toolCall' ? part.id : part.type === 'toolResult' ? part.callId : '')),
    );
    assert.equal(ids[0]?.[0], long);
    assert.ok((ids[0][1]?.length ?? 0) <= 64 && ids[0][1] !== long);
    assert.deepEqual(ids[1], ids[0]);
  });

  it('writes images with their bytes, in user messages and in tool results', () => {
    const sent = { type: 'image', mimeType: 'image/jpeg', data: 'AAEC' };
    const shown: WirePart = { type: 'toolResult', callId: 'c1', name: 'read', content: [text('a picture'), image], isError: false };
    const { messages } = request({ ...empty, messages: [user(image, text('what is this?')), assistant(call('c1')), user(shown)] });
    assert.deepEqual(messages[0]?.content, [sent, text('what is this?')]);
    assert.deepEqual(messages[2]?.content, [{ type: 'toolResult', callId: 'c1', content: [text('a picture'), sent] }]);
  });

  it('fails for an image whose bytes are missing', () => {
    assert.throws(() => convert(FOR, { ...empty, messages: [user(image)] }, params, new Map()), { name: 'LoupeError', kind: 'storage' });
  });

  it('gives the same bytes for the same prompt', () => {
    const prompt: Prompt = { ...empty, messages: [user(text('hi'))] };
    assert.deepEqual(convert(FOR, prompt, params, IMAGES), convert(FOR, prompt, params, IMAGES));
  });

  const misplaced: readonly (readonly [string, Prompt])[] = [
    ['text among the tools', { ...empty, tools: [block('t', 'tools', text('x'))] }],
    ['an image in the system prompt', { ...empty, system: [block('s', 'system', image)] }],
    ['an image in a reply', { ...empty, messages: [assistant(image)] }],
    ['a tool call in a user message', { ...empty, messages: [user(call('c1'))] }],
    ['a tool result after user content', { ...empty, messages: [user(text('x'), result('c1', false))] }],
    ['reasoning, which these models never get back', { ...empty, messages: [assistant(reasoning)] }],
  ];
  for (const [what, prompt] of misplaced) {
    it(`rejects ${what} instead of leaving it out`, () => {
      assert.throws(
        () => convert(FOR, prompt, params, IMAGES),
        (error) => error instanceof LoupeError && error.kind === 'protocol' && error.message.includes('does not allow a '),
      );
    });
  }
});
