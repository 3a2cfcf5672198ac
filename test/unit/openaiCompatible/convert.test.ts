import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import type { JsonObject } from '../../../src/engine/json.js';
import type { Block, WirePart } from '../../../src/engine/model/block.js';
import type { Prompt, WireMessage } from '../../../src/engine/model/prompt.js';
import type { Model } from '../../../src/engine/model/model.js';
import { convert, CONVERTER_VERSION } from '../../../src/providers/openaiCompatible/convert.js';
import { column } from '../../support/columns.js';
import { block, EMPTY_PROMPT, MODEL, modelWith } from './support.js';

const text = (words: string): WirePart & { type: 'text' } => ({ type: 'text', text: words });
const image = (blob: string): WirePart & { type: 'image' } => ({ type: 'image', blob, mimeType: 'image/png' });
const callOf = (id: string, name: string): WirePart => ({ type: 'toolCall', id, name, args: { z: 1, a: [true, null] } });
const resultOf = (callId: string, more: Partial<WirePart & { type: 'toolResult' }>): WirePart => ({
  type: 'toolResult',
  callId,
  name: 'read',
  content: [text('found')],
  isError: false,
  ...more,
});
const definition = (name: string): WirePart => ({
  type: 'toolDefinition',
  name,
  description: 'Reads.',
  schema: { b: 1, a: 2 },
  isRetired: false,
});
const reasoning = (words: string, opaque: string): WirePart => ({ type: 'reasoning', text: words, opaque });

const images = new Map([
  ['aa', 'QUFB'],
  ['bb', 'QkJC'],
]);
const params = { maxOutputTokens: null, extraBody: {} };
const user = (...parts: WirePart[]): WireMessage => ({ role: 'user', blocks: parts.map((part) => block('user', part, null)) });
const assistant = (...parts: WirePart[]): WireMessage => ({
  role: 'assistant',
  blocks: parts.map((part) => block('assistant', part, null)),
});

function body(prompt: Partial<Prompt>, model: Model): JsonObject {
  return JSON.parse(convert(model, { ...EMPTY_PROMPT, ...prompt }, params, images).body) as JsonObject;
}

function messages(...items: WireMessage[]): unknown {
  return body({ messages: items }, MODEL)['messages'];
}

function members(extraBody: JsonObject, maxOutputTokens: number | null): JsonObject {
  return JSON.parse(convert(MODEL, EMPTY_PROMPT, { maxOutputTokens, extraBody }, images).body) as JsonObject;
}

function fails(kind: ErrorKind, prompt: Partial<Prompt>): LoupeError {
  let thrown: unknown = null;
  try {
    body(prompt, MODEL);
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown instanceof LoupeError);
  assert.equal(thrown.kind, kind);
  return thrown;
}

describe('the Chat Completions converter', () => {
  it('writes a prompt with all its parts, the keys in a fixed order', () => {
    const prompt: Prompt = {
      tools: [block('tools', definition('read'), null)],
      system: [block('system', text('Be brief.\n'), null), block('system', text('Be kind.'), null)],
      messages: [
        user(text('look'), image('aa')),
        assistant(text('I look.'), callOf('c1', 'read')),
        { role: 'user', blocks: [block('tool-results', resultOf('c1', {}), null), block('user', text('and?'), null)] },
      ],
    };
    const { body: bytes, converterVersion } = convert(MODEL, prompt, { maxOutputTokens: 100, extraBody: { temperature: 0 } }, images);
    assert.equal(converterVersion, CONVERTER_VERSION);
    assert.equal(
      bytes,
      '{"model":"house/large","stream":true,"stream_options":{"include_usage":true},"max_tokens":100,' +
        '"tools":[{"type":"function","function":{"name":"read","description":"Reads.","parameters":{"type":"object","b":1,"a":2}}}],' +
        '"messages":[{"role":"system","content":"Be brief.\\nBe kind."},' +
        '{"role":"user","content":[{"type":"text","text":"look"},' +
        '{"type":"image_url","image_url":{"url":"data:image/png;base64,QUFB"}}]},' +
        '{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","type":"function",' +
        '"function":{"name":"read","arguments":"{\\"z\\":1,\\"a\\":[true,null]}"}}]},' +
        '{"role":"tool","tool_call_id":"c1","content":"found"},' +
        '{"role":"user","content":"and?"}],"temperature":0}',
    );
  });

  it('gives the same bytes for the same prompt', () => {
    const prompt: Prompt = { ...EMPTY_PROMPT, messages: [user(text('hi'), image('aa'))] };
    assert.equal(convert(MODEL, prompt, params, images).body, convert(MODEL, prompt, params, images).body);
  });

  it('sends text as it is, but for halves of surrogate pairs', () => {
    const words = ['\uD800', 'a\uDFFFb', '\\ud800', '\\\uD800', '\uD83D\uDE42', '\u0000\u2028"', '\\\\ud800'];
    const written = messages(user(...words.map(text))) as JsonObject[];
    const expected = ['\uFFFD', 'a\uFFFDb', '\\ud800', '\\\uFFFD', '\uD83D\uDE42', '\u0000\u2028"', '\\\\ud800'];
    assert.deepEqual(written[0]?.['content'], expected.map(text));
    const args = { 'k\uD800': ['\uDC00', '\\ud800'] };
    const [called] = messages(assistant({ type: 'toolCall', id: 'c', name: 'f', args })) as {
      tool_calls: { function: { arguments: string } }[];
    }[];
    assert.deepEqual(JSON.parse(called!.tool_calls[0]!.function.arguments), { 'k\uFFFD': ['\uFFFD', '\\ud800'] });
  });

  it('leaves out what is not there', () => {
    assert.deepEqual(body({}, MODEL), { model: 'house/large', stream: true, stream_options: { include_usage: true }, messages: [] });
  });
});

describe('the output limit', () => {
  it('is max_tokens, and absent without a limit', () => {
    assert.equal(members({}, 500)['max_tokens'], 500);
    assert.ok(!('max_tokens' in members({}, null)));
  });

  it('is max_completion_tokens for a model whose configuration names it', () => {
    for (const configured of [null, 9]) {
      const written = members({ max_completion_tokens: configured, max_tokens: 3 }, 500);
      assert.equal(written['max_completion_tokens'], 500);
      assert.ok(!('max_tokens' in written));
    }
  });

  it('is the configured number when there is no other, and never null', () => {
    assert.equal(members({ max_completion_tokens: 9 }, null)['max_completion_tokens'], 9);
    assert.ok(!('max_completion_tokens' in members({ max_completion_tokens: null }, null)));
  });
});

describe('further members of the body', () => {
  it('come last, in their order, and replace nothing', () => {
    const extra = { seed: null, temperature: 0.5, stream: false, model: 'x', messages: [], max_tokens: 1, a: { b: [1] } };
    const written = members(extra, 500);
    assert.deepEqual(Object.keys(written), ['model', 'stream', 'stream_options', 'max_tokens', 'messages', 'seed', 'temperature', 'a']);
    assert.deepEqual([written['stream'], written['model'], written['max_tokens']], [true, 'house/large', 500]);
    assert.deepEqual(written['a'], { b: [1] });
  });
});

describe('messages on the wire', () => {
  it('have a list of parts for several texts', () => {
    assert.deepEqual(messages(user(text('a'), text('b')), assistant(text('c'), text('d'))), [
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: [text('c'), text('d')] },
    ]);
  });

  it('have no content beside tool calls, and a note where there is nothing', () => {
    const written = messages(user(text('a')), assistant(callOf('c1', 'read')), assistant(reasoning('hm', 'reasoning')));
    const [, calling, thinking] = written as JsonObject[];
    assert.equal(calling?.['content'], null);
    assert.equal(thinking?.['content'], '(no text)');
  });

  it('send reasoning back in the member in which it came', () => {
    const written = messages(
      assistant(reasoning('a', 'reasoning_content'), reasoning('b', 'reasoning_content'), text('c')),
      assistant(reasoning('d', 'reasoning'), text('e')),
    );
    assert.deepEqual(written, [
      { role: 'assistant', reasoning_content: 'ab', content: 'c' },
      { role: 'assistant', reasoning: 'd', content: 'e' },
    ]);
  });

  it('cannot send an image that is not there', () => {
    assert.match(fails('storage', { messages: [user(image('cc'))] }).message, /image\/png.*cc/);
    fails('storage', { messages: [{ role: 'user', blocks: [block('tool-results', resultOf('c', { content: [image('cc')] }), null)] }] });
  });

  it('refuse what the format has no place for', () => {
    const result = block('tool-results', resultOf('c1', {}), null);
    fails('protocol', { system: [block('system', image('aa'), null)] });
    fails('protocol', { tools: [block('tools', text('x'), null)] });
    fails('protocol', { messages: [user(callOf('c1', 'read'))] });
    fails('protocol', { messages: [user(reasoning('x', 'reasoning'))] });
    fails('protocol', { messages: [assistant(image('aa'))] });
    fails('protocol', { messages: [assistant(definition('x'))] });
    fails('protocol', { messages: [{ role: 'assistant', blocks: [result] }] });
    fails('protocol', { messages: [{ role: 'user', blocks: [block('user', text('a'), null), result] }] });
    fails('protocol', { messages: [assistant(reasoning('x', 'signature'))] });
  });
});

describe('tool results on the wire', () => {
  const results = (...parts: WirePart[]): Block[] => parts.map((part) => block('tool-results', part, null));
  const contents = (written: unknown): unknown[] => (written as JsonObject[]).map(({ content }) => content);

  it('are a message each, in their order, with lines for several texts', () => {
    const written = messages(assistant(callOf('c1', 'read'), callOf('c2', 'list')), {
      role: 'user',
      blocks: results(resultOf('c1', { content: [text('a'), text('b')] }), resultOf('c2', {})),
    }) as JsonObject[];
    assert.deepEqual(column(written, 'role'), ['assistant', 'tool', 'tool']);
    assert.deepEqual(contents(written.slice(1)), ['a\nb', 'found']);
    const ids = (written[0]!['tool_calls'] as JsonObject[]).map(({ id }) => id);
    const answered = written.slice(1).map((answer) => answer['tool_call_id']);
    assert.deepEqual(answered, ids);
    assert.equal(new Set(ids).size, 2);
  });

  it('say in words that there is nothing, or that the tool failed', () => {
    const blocks = results(
      resultOf('c1', { content: [] }),
      resultOf('c2', { isError: true }),
      resultOf('c3', { content: [], isError: true }),
    );
    assert.deepEqual(contents(messages({ role: 'user', blocks })), ['(no output)', 'Error: found', 'Error: (no output)']);
  });

  it('leave their images to the one user message behind them, before what the user says', () => {
    const blocks = [
      ...results(resultOf('c1', { content: [text('see'), image('aa')] }), resultOf('c2', { content: [image('bb')] })),
      block('user', text('and?'), null),
    ];
    const [first, second, behind, ...rest] = contents(messages({ role: 'user', blocks }));
    assert.match(String(first), /^see\n\(An image, image\/png: number 1 of/);
    assert.match(String(second), /^\(An image, image\/png: number 2 of/);
    const url = (base64: string): object => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } });
    assert.deepEqual(behind, [url('QUFB'), url('QkJC'), text('and?')]);
    assert.deepEqual(rest, []);
  });

  it('keep their images for themselves where no user content may follow, and say so', () => {
    const blocks = results(resultOf('c1', { content: [image('aa')] }));
    const strict = modelWith({ userContentAfterToolResults: false });
    const [answer, ...rest] = contents(body({ messages: [{ role: 'user', blocks }] }, strict)['messages']);
    assert.match(String(answer), /image\/png, is left out/);
    assert.deepEqual(rest, []);
  });

  it('have the id of their call with nine letters and digits where the provider wants that', () => {
    const call = { role: 'assistant' as const, blocks: [block('assistant', callOf('toolu_01AbC', 'read'), null)] };
    const prompt = { messages: [call, { role: 'user' as const, blocks: results(resultOf('toolu_01AbC', {})) }] };
    const [called, answer] = body(prompt, modelWith({ callIds: 'nine' }))['messages'] as unknown as readonly {
      tool_calls: readonly { id: string }[];
      tool_call_id: string;
    }[];
    assert.match(answer?.tool_call_id ?? '', /^[A-Za-z0-9]{9}$/);
    assert.equal(called?.tool_calls[0]?.id, answer?.tool_call_id);
  });
});

describe('cache breakpoints on the wire', () => {
  const short = { cache_control: { type: 'ephemeral' } };
  const long = { cache_control: { type: 'ephemeral', ttl: '1h' } };

  it('make the system prompt a list of its pieces', () => {
    const system = [block('system', text('a'), null), block('system', text('b'), '1h'), block('system', text('c'), null)];
    assert.deepEqual(body({ system }, MODEL)['messages'], [{ role: 'system', content: [text('a'), { ...text('b'), ...long }, text('c')] }]);
  });

  it('stand at the content part that carries them', () => {
    const written = messages(
      { role: 'user', blocks: [block('user', text('a'), '5m')] },
      { role: 'assistant', blocks: [block('assistant', text('b'), '1h'), block('assistant', callOf('c1', 'read'), null)] },
      { role: 'user', blocks: [block('tool-results', resultOf('c1', {}), '5m'), block('user', image('aa'), '1h')] },
    ) as JsonObject[];
    assert.deepEqual(column(written.slice(0, 3), 'content'), [
      [{ ...text('a'), ...short }],
      [{ ...text('b'), ...long }],
      [{ ...text('found'), ...short }],
    ]);
    assert.deepEqual((written[3]!['content'] as [JsonObject])[0]['cache_control'], long.cache_control);
  });

  it('have the form of OpenAI when they live for 30 minutes', () => {
    const written = messages({ role: 'user', blocks: [block('user', text('a'), '30m')] }) as JsonObject[];
    assert.deepEqual(written[0]?.['content'], [{ ...text('a'), prompt_cache_breakpoint: { mode: 'explicit' } }]);
  });

  it('name the key of the prefix where there is one', () => {
    const written = (more: { readonly cacheKey?: string }): JsonObject =>
      JSON.parse(convert(MODEL, EMPTY_PROMPT, { ...params, ...more }, images).body) as JsonObject;
    assert.equal(written({ cacheKey: 'sess_1' })['prompt_cache_key'], 'sess_1');
    assert.equal('prompt_cache_key' in written({}), false);
  });

  it('move from what cannot carry them to the text before it, and else are dropped', () => {
    const call = block('assistant', callOf('c1', 'read'), '5m');
    const thought = block('assistant', reasoning('hm', 'reasoning'), '5m');
    const blocks = [
      [block('assistant', text('a'), null), call],
      [block('assistant', text('a'), '1h'), call],
      [block('assistant', text('a'), null), thought],
      [call, block('assistant', text('a'), null)],
    ];
    const written = blocks.map((items) => (messages({ role: 'assistant', blocks: items }) as [JsonObject])[0]['content']);
    assert.deepEqual(written, [[{ ...text('a'), ...short }], [{ ...text('a'), ...long }], [{ ...text('a'), ...short }], 'a']);
    const tools = [block('tools', definition('read'), '5m')];
    const { body: bytes } = convert(MODEL, { tools, system: [], messages: [{ role: 'assistant', blocks: [call] }] }, params, images);
    assert.doesNotMatch(bytes, /cache_control/);
  });
});
