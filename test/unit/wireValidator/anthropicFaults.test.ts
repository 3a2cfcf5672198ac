import assert from 'node:assert/strict';
import { anthropicFaults } from '../../support/wire/anthropicFaults.js';

type Members = Record<string, unknown>;

const ownSignature = (signature: string, text: string | null): boolean => signature === `signed ${text ?? 'nothing'}`;
const text = (words: string): Members => ({ type: 'text', text: words });
const user = (...content: unknown[]): Members => ({ role: 'user', content });
const assistant = (...content: unknown[]): Members => ({ role: 'assistant', content });
const call = (id: string): Members => ({ type: 'tool_use', id, name: 'read', input: { path: 'a.ts' } });
const result = (id: string): Members => ({ type: 'tool_result', tool_use_id: id, content: 'found' });
const thinking = (words: string): Members => ({ type: 'thinking', thinking: words, signature: `signed ${words}` });
const redacted: Members = { type: 'redacted_thinking', data: 'signed nothing' };
const image: Members = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } };
const tool = (name: string): Members => ({ name, description: 'Reads.', input_schema: { type: 'object', properties: {} } });
const deferred = (name: string): Members => ({ ...tool(name), defer_loading: true });
const loading = (name: string): Members => ({ ...result('1'), content: [{ type: 'tool_reference', tool_name: name }] });
const marked = (block: Members, ttl: '5m' | '1h'): Members => ({ ...block, cache_control: { type: 'ephemeral', ttl } });
const enabled = { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_000 };

/** A valid body with these members replaced. Undefined removes one. */
function body(change: Members): Members {
  const all: Members = { model: 'a-model', max_tokens: 100, stream: true, tools: [tool('read')], messages: [user(text('hi'))], ...change };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function talk(...messages: unknown[]): Members {
  return body({ messages });
}

function faults(value: unknown): string[] {
  return anthropicFaults(value, { isOwnSignature: ownSignature });
}

/** A body with its faults. Some faults bring another one along. */
const bad: readonly (readonly [unknown, ...string[]])[] = [
  [body({ foo: 1 }), 'body.foo: no such member'],
  [body({ max_tokens: undefined }), 'max_tokens: is no whole number of at least 1'],
  [talk(user(text('a\uD800'))), 'body.messages.0.content.0.text: holds half a surrogate pair'],
  [talk(), 'messages: there are none'],
  [talk(user(text('a')), { role: 'system', content: 'b' }), 'messages.1.role: is neither user nor assistant'],
  [talk(assistant(text('a')), user(text('b'))), 'messages.0: the first message is not the user’s'],
  [talk(user(text('a')), user(text('b'))), 'messages.1: has the role of the message before it'],
  [talk(user(), assistant(text('b'))), 'messages.0.content: is empty'],
  [talk(user(text(''))), 'messages.0.content.0.text: is empty or white space'],
  [talk(user(text('a')), assistant(text('b '))), 'messages.1.content.0.text: the final assistant message ends with white space'],
  [talk(user(text('a')), assistant(image)), 'messages.1.content.0: image may not stand in a message of the assistant'],
  [talk(user(thinking('hm'), text('a'))), 'messages.0.content.0: thinking may not stand in a message of the user'],
  [
    talk(user({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AAAA' } })),
    'messages.0.content.0.source.media_type: is none of jpeg, png, gif, webp',
  ],
  [
    talk(user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A A' } })),
    'messages.0.content.0.source.data: is no Base64',
  ],
  [
    talk(user(text('a')), assistant(call('c:1')), user({ ...result('c1'), tool_use_id: 'c:1' })),
    'messages.1.content.0.id: does not match ^[a-zA-Z0-9_-]+$',
    'messages.2.content.0.tool_use_id: does not match ^[a-zA-Z0-9_-]+$',
  ],
  [
    talk(user(text('a')), assistant({ ...call('1'), name: 'read it' }), user(result('1'))),
    'messages.1.content.0.name: does not match ^[a-zA-Z0-9_-]{1,128}$',
  ],
  [
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), content: [], is_error: true })),
    'messages.2.content.0.content: may not be empty when is_error is true',
  ],
  [
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), content: [image], is_error: true })),
    'messages.2.content.0.content.0: only text may stand in a result whose is_error is true',
  ],
  [
    talk(user(text('a')), assistant(call('1'), call('2')), user(result('1'))),
    'messages.1: the tool_use 2 has no tool_result in the next message',
  ],
  [body({ tools: [deferred('a'), deferred('b')] }), 'tools: all of them are deferred'],
  [body({ tools: [tool('read'), marked(deferred('a'), '5m')] }), 'tools.1.cache_control: may not stand on a deferred tool'],
  [
    talk(user(text('a')), assistant(call('1')), user(loading('read'))),
    'messages.2.content.0.content.0.tool_name: no such tool is defined as deferred',
  ],
  [talk(user(result('1'))), 'messages.0: the tool_result 1 has no tool_use in the previous message'],
  [
    talk(user(text('a')), assistant(call('1')), user(result('1')), assistant(call('2')), user(result('2'), result('1'))),
    'messages.4: the tool_result 1 has no tool_use in the previous message',
  ],
  [talk(user(text('a')), assistant(call('1')), user(result('1'), result('1'))), 'messages.2: the tool_use 1 has more than one tool_result'],
  [
    talk(user(text('a')), assistant(call('1')), user(result('1')), assistant(call('1')), user(result('1'))),
    'messages: the tool_use id 1 occurs more than once',
  ],
  [talk(user(text('a')), assistant(call('1')), user(text('b'), result('1'))), 'messages.2: a tool_result stands after other content'],
  [
    body({ tools: undefined, messages: [user(text('a')), assistant(call('1')), user(result('1'))] }),
    'tools: are missing, but tool blocks occur',
  ],
  [body({ tools: [tool('read'), tool('read')] }), 'tools: the name read occurs more than once'],
  [body({ tools: [tool('fs.read')] }), 'tools.0.name: does not match ^[a-zA-Z0-9_-]{1,128}$'],
  [body({ tools: [tool('a'.repeat(129))] }), 'tools.0.name: does not match ^[a-zA-Z0-9_-]{1,128}$'],
  [
    body({ tools: [{ name: 'read', input_schema: { type: 'object', oneOf: [] } }] }),
    'tools.0.input_schema.oneOf: may not stand at the top',
  ],
  [
    body({ tools: [{ name: 'read', input_schema: { type: 'object', properties: { 'a b': {} } } }] }),
    'tools.0.input_schema.properties: the name a b does not match ^[a-zA-Z0-9_.-]{1,64}$',
  ],
  [body({ system: [text(' ')] }), 'system.0.text: is empty or white space'],
  [talk(user(text('a')), assistant({ type: 'thinking', thinking: 'hm' }, text('b'))), 'messages.1.content.0.signature: is missing'],
  [
    talk(user(text('a')), assistant({ ...thinking('hm'), thinking: 'ha' }, text('b'))),
    'messages.1.content.0.signature: is not of this model and text',
  ],
  [talk(user(text('a')), assistant({ ...redacted, data: 'x' }, text('b'))), 'messages.1.content.0.data: is not of this model'],
  [talk(user(text('a')), assistant(text('b'), thinking('hm'), text('c'))), 'messages.1: holds thinking, but does not start with it'],
  [talk(user(text('a')), assistant(thinking('hm'))), 'messages.1: ends with thinking'],
  [body({ ...enabled, temperature: 0 }), 'temperature: may only be 1 while thinking is enabled'],
  [body({ ...enabled, tool_choice: { type: 'any' } }), 'tool_choice: may not force a tool while thinking is enabled'],
  [
    body({
      ...enabled,
      messages: [user(text('a')), assistant(call('1')), user(result('1')), assistant(thinking('hm'), call('2')), user(result('2'))],
    }),
    'messages.1: the open turn does not start with thinking',
  ],
  [
    body({ thinking: { type: 'disabled' }, messages: [user(text('a')), assistant(thinking('hm'), call('1')), user(result('1'))] }),
    'messages.1: holds thinking while thinking is disabled',
  ],
  [body({ system: ['a', 'b', 'c', 'd', 'e'].map((words) => marked(text(words), '5m')) }), 'cache_control: 5 marks, and 4 are the most'],
  [
    body({ system: ['a', 'b', 'c', 'd'].map((words) => marked(text(words), '5m')), cache_control: { type: 'ephemeral' } }),
    'cache_control: 5 marks, and 4 are the most',
  ],
  [
    talk(user(text('a')), assistant(marked(thinking('hm'), '5m'), text('b'))),
    'messages.1.content.0.cache_control: may not stand on thinking',
  ],
  [
    body({ system: [marked(text(''), '5m')] }),
    'system.0.text: is empty or white space',
    'system.0.cache_control: may not stand on empty text',
  ],
  [
    body({ tools: [{ ...tool('read'), cache_control: { type: 'ephemeral' } }], system: [marked(text('s'), '1h')] }),
    'system.0.cache_control.ttl: 1h stands after 5m',
  ],
];

describe('the validator of Anthropic requests', () => {
  for (const [value, ...expected] of bad) {
    it(`refuses a body: ${expected.join(', ')}`, () => {
      assert.deepEqual(faults(value), expected);
    });
  }
});
