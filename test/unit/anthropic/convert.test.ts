import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { JsonObject } from '../../../src/engine/json.js';
import type { WirePart } from '../../../src/engine/model/block.js';
import type { Prompt, WireMessage } from '../../../src/engine/model/prompt.js';
import type { PromptImages, RequestParams } from '../../../src/engine/model/model.js';
import { convert, CONVERTER_VERSION, DEFAULT_MAX_TOKENS } from '../../../src/providers/anthropic/convert.js';
import { column } from '../../support/columns.js';
import { assistant, block, call, definition, EMPTY, MODEL, PARAMS, result, text, THOUGHT, user } from './support.js';

const NO_IMAGES: PromptImages = new Map();
const IMAGE: WirePart = { type: 'image', blob: 'aa', mimeType: 'image/png' };

interface WireBlock {
  readonly type: string;
  readonly cache_control?: unknown;
  readonly [name: string]: unknown;
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: readonly WireBlock[] }[];
  readonly tools?: readonly WireBlock[];
  readonly system?: readonly WireBlock[];
  readonly [name: string]: unknown;
}

function bodyOf(prompt: Prompt, extraBody: JsonObject): Body {
  return JSON.parse(convert(MODEL, prompt, { ...PARAMS, extraBody }, NO_IMAGES).body) as Body;
}

function talk(...messages: WireMessage[]): Prompt {
  return { ...EMPTY, messages };
}

function talkWithTool(...messages: WireMessage[]): Prompt {
  return { ...talk(...messages), tools: [block('tools', definition('read'), null)] };
}

function contents(...messages: WireMessage[]): (readonly WireBlock[])[] {
  return bodyOf(talkWithTool(...messages), {}).messages.map(({ content }) => content);
}

/** The marked blocks, as `type` or `type:ttl`. */
function marks(message: WireMessage): string[] {
  return contents(message)
    .flat()
    .map(({ type, cache_control: mark }) => (mark === undefined ? type : `${type} ${JSON.stringify(mark)}`));
}

describe('the converter to the Messages API', () => {
  it('writes the whole body, its members in a fixed order', () => {
    const answer: WirePart = {
      type: 'toolResult',
      callId: 'c1',
      name: 'read',
      content: [text('found'), { type: 'image', blob: 'bb', mimeType: 'image/webp' }],
      isError: true,
    };
    const prompt: Prompt = {
      tools: [block('tools', definition('read'), '1h')],
      system: [block('system', text('Be brief.'), null), block('system', text('Rules.'), '5m')],
      messages: [
        { role: 'user', blocks: [block('user', text('look'), null), block('user', IMAGE, null)] },
        assistant(THOUGHT, { type: 'reasoning', text: '', opaque: 'redacted:xyz' }, text('I look.'), call('c1', 'read')),
        { role: 'user', blocks: [block('tool-results', answer, null), block('user', text('and?'), '5m')] },
      ],
    };
    const [, second, third] = prompt.messages;
    const [id, resultId] = [second!.blocks[3]!.key, third!.blocks[0]!.key];
    const images = new Map([
      ['aa', 'QUE='],
      ['bb', 'QkI='],
    ]);
    const { body, converterVersion } = convert(MODEL, prompt, { maxOutputTokens: 100, extraBody: { metadata: { user_id: 'u' } } }, images);
    const written = JSON.parse(body) as Body;
    const [use, answered] = [written.messages[1]!.content[3]!['id'], written.messages[2]!.content[0]!['tool_use_id']];
    assert.equal(converterVersion, CONVERTER_VERSION);
    assert.ok(id !== resultId);
    assert.equal(
      body,
      '{"model":"claude-test","max_tokens":100,"stream":true,' +
        '"tools":[{"name":"read","description":"Reads.","input_schema":{"type":"object","properties":{}},' +
        '"cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
        '"system":[{"type":"text","text":"Be brief."},' +
        '{"type":"text","text":"Rules.","cache_control":{"type":"ephemeral"}}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"look"},' +
        '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUE="}}]},' +
        '{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"signed"},' +
        '{"type":"redacted_thinking","data":"xyz"},{"type":"text","text":"I look."},' +
        `{"type":"tool_use","id":${JSON.stringify(use)},"name":"read","input":{"path":"c1"}}]},` +
        `{"role":"user","content":[{"type":"tool_result","tool_use_id":${JSON.stringify(answered)},"content":[` +
        '{"type":"text","text":"(The tool failed.)"},{"type":"text","text":"found"},' +
        '{"type":"image","source":{"type":"base64","media_type":"image/webp","data":"QkI="}}]},' +
        '{"type":"text","text":"and?","cache_control":{"type":"ephemeral"}}]}],' +
        '"metadata":{"user_id":"u"}}',
    );
  });

  it('gives the same bytes for the same prompt', () => {
    const prompt = talk(user(text('hi')), assistant(THOUGHT, call('c1', 'read')), user(result('c1', 'read')));
    assert.deepEqual(convert(MODEL, prompt, PARAMS, NO_IMAGES), convert(MODEL, structuredClone(prompt), PARAMS, NO_IMAGES));
  });

  it('says a limit for the reply even when none is known: the API demands one', () => {
    const { body } = convert(MODEL, EMPTY, { maxOutputTokens: null, extraBody: {} }, NO_IMAGES);
    assert.equal((JSON.parse(body) as Body)['max_tokens'], DEFAULT_MAX_TOKENS);
  });

  it('leaves out a member of the configuration that the server refuses', () => {
    const params = { ...PARAMS, extraBody: { reasoning: {}, service_tier: 'auto' }, leftOut: ['reasoning', 'max_tokens'] };
    const { body } = convert(MODEL, talk(user(text('hi'))), params, NO_IMAGES);
    assert.deepEqual(Object.keys(JSON.parse(body) as Body), ['model', 'max_tokens', 'stream', 'messages', 'service_tier']);
  });

  it('asks for a comparison with an earlier request where the parameters have a place for its id', () => {
    const asking = (params: Partial<RequestParams>): unknown =>
      (JSON.parse(convert(MODEL, talk(user(text('hi'))), { ...PARAMS, ...params }, NO_IMAGES).body) as Body)['diagnostics'];
    assert.deepEqual(asking({ previousResponseId: 'msg_1' }), { previous_message_id: 'msg_1' });
    assert.deepEqual(asking({ previousResponseId: null }), { previous_message_id: null });
    assert.equal(asking({}), undefined);
  });

  it('adds members of the configuration behind its own, and lets none replace one of them', () => {
    const extra = { stream: false, max_tokens: 1, model: 'other', messages: [], service_tier: 'auto', system: 'mine' };
    const body = bodyOf({ ...talk(user(text('hi'))), system: [block('system', text('ours'), null)] }, extra);
    assert.deepEqual(Object.keys(body), ['model', 'max_tokens', 'stream', 'system', 'messages', 'service_tier']);
    assert.equal(body['stream'], true);
    assert.equal(body['max_tokens'], 100);
    assert.deepEqual(body.system, [{ type: 'text', text: 'ours' }]);
  });

  describe('content that the API refuses', () => {
    it('leaves out text without content, and a system prompt that then is empty', () => {
      const body = bodyOf({ ...talk(user(text('hi'), text(' \n'))), system: [block('system', text('\t'), null)] }, {});
      assert.deepEqual(Object.keys(body), ['model', 'max_tokens', 'stream', 'messages']);
      assert.deepEqual(body.messages, [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
    });

    it('leaves out reasoning at the end of a message, and in one that does not start with it', () => {
      const [stopped, late, whole] = contents(
        assistant(THOUGHT, text('a'), THOUGHT, text(' ')),
        assistant(text('a'), THOUGHT, text('b')),
        assistant(text(''), THOUGHT, text('a'), { ...THOUGHT, text: 'Again.' } as WirePart, call('c1', 'read')),
      );
      assert.deepEqual(column(stopped!, 'type'), ['thinking', 'text']);
      assert.deepEqual(column(late!, 'type'), ['text', 'text']);
      assert.deepEqual(column(whole!, 'type'), ['thinking', 'text', 'thinking', 'tool_use']);
    });

    it('says so in place of a message of which nothing is left, so that the roles still alternate', () => {
      const note = [{ type: 'text', text: '(Nothing of this message can be sent.)' }];
      assert.deepEqual(contents(user(text('hi')), assistant(THOUGHT), user(text(' '))).slice(1), [note, note]);
    });

    it('leaves out the content of a tool result that has none', () => {
      const empty: WirePart = { type: 'toolResult', callId: 'c1', name: 'read', content: [text('')], isError: false };
      const [, , results] = contents(user(text('hi')), assistant(call('c1', 'read')), user(empty));
      assert.deepEqual(Object.keys(results![0]!), ['type', 'tool_use_id']);
    });

    it('replaces lone surrogates, and leaves whole pairs and written escapes alone', () => {
      const [[written]] = contents(user(text('a\uD800b 👋 \uDC00 \\ud800'))) as [[WireBlock]];
      assert.equal(written['text'], 'a\uFFFDb 👋 \uFFFD \\ud800');
    });

    it('says the type of a tool schema that does not say it itself', () => {
      const bare: WirePart = { type: 'toolDefinition', name: 'now', description: ' ', schema: { properties: {} }, isRetired: false };
      const body = bodyOf({ ...EMPTY, tools: [block('tools', bare, null)] }, {});
      assert.deepEqual(body.tools, [{ name: 'now', input_schema: { type: 'object', properties: {} } }]);
    });

    it('forbids to call the tools that are defined only because the conversation names them', () => {
      const retired = { ...definition('read'), isRetired: true } as WirePart;
      const talked = talk(user(text('hi')), assistant(call('a', 'read')), user(result('a', 'read')));
      const choice = (...tools: readonly WirePart[]): unknown =>
        bodyOf({ ...talked, tools: tools.map((part) => block('tools', part, null)) }, {})['tool_choice'];
      assert.deepEqual(choice(retired), { type: 'none' });
      assert.equal(choice(definition('read')), undefined);
      assert.equal(bodyOf(talk(user(text('hi'))), {}).tools, undefined);
    });
  });

  describe('ids', () => {
    it('gives a result the id of its call', () => {
      const [, calls, results] = contents(
        user(text('hi')),
        assistant(call('c/1', 'read'), call('c2', 'read')),
        user(result('c/1', 'read'), result('c2', 'read')),
      );
      assert.deepEqual(
        results!.map((item) => item['tool_use_id']),
        calls!.map((item) => item['id']),
      );
      assert.equal(new Set(calls!.map((item) => item['id'])).size, 2);
      assert.ok(calls!.every((item) => /^[a-zA-Z0-9_-]{1,64}$/.test(String(item['id']))));
    });
  });

  describe('cache breakpoints', () => {
    const marked = (part: WirePart, ttl: '5m' | '1h'): ReturnType<typeof block> => block('assistant', part, ttl);
    const plain = (part: WirePart): ReturnType<typeof block> => block('assistant', part, null);

    it('stand on the block that is marked', () => {
      const blocks = [plain(THOUGHT), marked(text('a'), '1h'), marked(call('c1', 'read'), '5m')];
      assert.deepEqual(marks({ role: 'assistant', blocks }), [
        'thinking',
        'text {"type":"ephemeral","ttl":"1h"}',
        'tool_use {"type":"ephemeral"}',
      ]);
    });

    it('move from reasoning, which cannot carry one, to the nearest block before it', () => {
      const redacted = { ...THOUGHT, opaque: 'redacted:x' } as WirePart;
      const blocks = [plain(THOUGHT), plain(text('a')), plain(THOUGHT), marked(redacted, '1h'), plain(text('b'))];
      assert.deepEqual(marks({ role: 'assistant', blocks }), [
        'thinking',
        'text {"type":"ephemeral","ttl":"1h"}',
        'thinking',
        'redacted_thinking',
        'text',
      ]);
    });

    it('move from text that is left out', () => {
      const blocks = [plain(text('a')), marked(text(' '), '5m')];
      assert.deepEqual(marks({ role: 'assistant', blocks }), ['text {"type":"ephemeral"}']);
    });

    it('are dropped where there is no block before, or where it has one', () => {
      assert.deepEqual(marks({ role: 'assistant', blocks: [marked(THOUGHT, '5m'), plain(text('a'))] }), ['thinking', 'text']);
      const blocks = [marked(text('a'), '5m'), marked(THOUGHT, '1h')];
      assert.deepEqual(marks({ role: 'assistant', blocks }), ['text {"type":"ephemeral"}']);
    });
  });

  describe('a fixed budget for thinking', () => {
    const budget = { thinking: { type: 'enabled', budget_tokens: 2_000 } };
    const limited = (prompt: Prompt, maxOutputTokens: number | null): Body =>
      JSON.parse(convert(MODEL, prompt, { maxOutputTokens, extraBody: budget }, NO_IMAGES).body) as Body;
    const thinks = (...messages: WireMessage[]): boolean => limited(talkWithTool(...messages), 4_000)['thinking'] !== undefined;
    const foreign = [user(text('hi')), assistant(call('a', 'read')), user(result('a', 'read'))];
    const own = [user(text('hi')), assistant(THOUGHT, call('a', 'read')), user(result('a', 'read'))];

    it('is sent with a conversation without tool calls, and with a loop that began with thinking', () => {
      assert.equal(thinks(user(text('hi'))), true);
      assert.equal(thinks(user(text('hi')), assistant(text('hello')), user(text('and?'))), true);
      assert.equal(thinks(...own), true);
    });

    it('is left out while a loop runs that began without, as that of another model', () => {
      assert.equal(thinks(...foreign), false);
      assert.deepEqual(bodyOf(talk(...foreign), { ...budget, metadata: {} })['metadata'], {});
    });

    it('asks no thinking of the later rounds of a loop', () => {
      assert.equal(thinks(...own, assistant(call('b', 'read')), user(result('b', 'read'))), true);
      assert.equal(thinks(...foreign, assistant(call('b', 'read')), user(result('b', 'read'))), false);
      assert.equal(thinks(...own, user(text('x')), assistant(call('b', 'read')), user(result('b', 'read'))), false);
    });

    it('comes back with the next turn', () => {
      assert.equal(thinks(...foreign, assistant(text('done')), user(text('next'))), true);
    });

    it('is the only kind of thinking that is ever left out', () => {
      assert.deepEqual(bodyOf(talk(...foreign), { thinking: { type: 'adaptive' } })['thinking'], { type: 'adaptive' });
    });

    it('comes on top of the limit for the reply where that is not known', () => {
      const body = limited(talk(user(text('hi'))), null);
      assert.deepEqual([body['max_tokens'], body['thinking']], [2_000 + DEFAULT_MAX_TOKENS, budget.thinking]);
    });

    it('is left out of a request whose limit has no room for it, and so is the reasoning before', () => {
      const types = (limit: number): unknown[] => {
        const body = limited(talkWithTool(...own), limit);
        return [body['max_tokens'], body['thinking'], ...body.messages[1]!.content.map(({ type }) => type)];
      };
      assert.deepEqual(types(2_001), [2_001, budget.thinking, 'thinking', 'tool_use']);
      assert.deepEqual(types(2_000), [2_000, undefined, 'tool_use']);
    });

    it('that is no number is for the API to refuse', () => {
      const thinking = { type: 'enabled', budget_tokens: 'much' };
      const body = bodyOf(talk(user(text('hi'))), { thinking });
      assert.deepEqual([body['max_tokens'], body['thinking']], [100, thinking]);
    });
  });

  it('names an image that is missing', () => {
    assert.throws(
      () => convert(MODEL, talk(user(IMAGE)), PARAMS, NO_IMAGES),
      (error) => error instanceof LoupeError && error.kind === 'storage' && error.message.includes('aa'),
    );
  });

  const misplaced: readonly (readonly [string, Prompt])[] = [
    ['text among the tools', { ...EMPTY, tools: [block('tools', text('x'), null)] }],
    ['an image in the system prompt', { ...EMPTY, system: [block('system', IMAGE, null)] }],
    ['a tool call in a user message', talk(user(call('a', 'read')))],
    ['reasoning in a user message', talk(user(THOUGHT))],
    ['a tool definition in a user message', talk(user(definition('read')))],
    ['an image in an assistant message', talk(assistant(IMAGE))],
    ['a tool result in an assistant message', talk(assistant(result('a', 'read')))],
    ['a tool definition in an assistant message', talk(assistant(definition('read')))],
    ['a tool result after other content', talk(user(text('x'), result('a', 'read')))],
    [
      'a tool whose schema is no object',
      { ...EMPTY, tools: [block('tools', { type: 'toolDefinition', name: 'a', description: '', schema: true, isRetired: false }, null)] },
    ],
  ];
  for (const [what, prompt] of misplaced) {
    it(`rejects ${what} instead of leaving it out`, () => {
      assert.throws(() => convert(MODEL, prompt, PARAMS, NO_IMAGES), { name: 'LoupeError', kind: 'protocol' });
    });
  }
});
