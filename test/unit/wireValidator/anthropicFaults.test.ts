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

/** A good body with the members given in place of its own; undefined removes one. */
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

const good: readonly (readonly [string, Members])[] = [
  ['one message of the user', body({})],
  ['text as shorthand', talk({ role: 'user', content: 'hi' })],
  ['a system prompt of text or of blocks', body({ system: [text('Be brief.')] })],
  ['images of the user and of tools', talk(user(image), assistant(call('c1')), user({ ...result('c1'), content: [image, text('x')] }))],
  ['an image by its address', talk(user({ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }))],
  [
    'parallel calls with their results, then words',
    talk(user(text('a')), assistant(call('1'), call('2')), user(result('2'), result('1'), text('b'))),
  ],
  ['a result without content', talk(user(text('a')), assistant(call('1')), user({ type: 'tool_result', tool_use_id: '1' }))],
  [
    'a tool that a result loads',
    { ...talk(user(text('a')), assistant(call('1')), user(loading('later'))), tools: [tool('read'), deferred('later')] },
  ],
  ['a failed result', talk(user(text('a')), assistant(call('1')), user({ ...result('1'), is_error: true }))],
  ['the start of a reply', talk(user(text('a')), assistant(text('b')))],
  ['an empty start of a reply', talk(user(text('a')), assistant())],
  [
    'thinking of its own in front',
    talk(user(text('a')), assistant(thinking('hm'), redacted, text('b'), thinking('oh'), text('c')), user(text('d'))),
  ],
  ['thinking with a budget', body(enabled)],
  [
    'a tool loop whose later rounds have no thinking',
    body({
      ...enabled,
      messages: [user(text('a')), assistant(thinking('hm'), call('1')), user(result('1')), assistant(call('2')), user(result('2'))],
    }),
  ],
  [
    'no thinking in a turn that is over',
    body({ ...enabled, messages: [user(text('a')), assistant(call('1')), user(result('1'), text('go on'))] }),
  ],
  [
    'thinking of earlier turns while it is disabled',
    body({ thinking: { type: 'disabled' }, messages: [user(text('a')), assistant(thinking('hm'), text('b')), user(text('c'))] }),
  ],
  [
    'four marks, the longer ones first, also inside a result',
    body({
      tools: [marked(tool('read'), '1h')],
      system: [marked(text('s'), '1h')],
      messages: [user(text('a')), assistant(marked(call('1'), '5m')), user({ ...result('1'), content: [marked(text('x'), '5m')] })],
    }),
  ],
  ['a forced tool', body({ tool_choice: { type: 'tool', name: 'read' } })],
  ['sampling', body({ temperature: 0.5, top_p: 0.9, top_k: 3, stop_sequences: ['x'], metadata: {} })],
];

/** What is wrong, a body with it, and what is then said: more than one thing where one brings the other along. */
const bad: readonly (readonly [string, unknown, ...string[]])[] = [
  ['a body that is no object', [], 'body: is no object'],
  ['a member it does not know', body({ foo: 1 }), 'body.foo: no such member'],
  ['no model', body({ model: undefined }), 'model: is missing'],
  ['an empty model', body({ model: '' }), 'model: is missing'],
  ['no output limit', body({ max_tokens: undefined }), 'max_tokens: is no whole number of at least 1'],
  ['an output limit of 0', body({ max_tokens: 0 }), 'max_tokens: is no whole number of at least 1'],
  ['an output limit that is text', body({ max_tokens: '100' }), 'max_tokens: is no whole number of at least 1'],
  ['an answer at once', body({ stream: false }), 'stream: is not true'],
  ['half a surrogate pair', talk(user(text('a\uD800'))), 'body.messages.0.content.0.text: holds half a surrogate pair'],

  ['messages that are no array', body({ messages: {} }), 'messages: is no array', 'messages: there are none'],
  ['no messages', talk(), 'messages: there are none'],
  ['a message that is text', talk('hi', user(text('a'))), 'messages.0: is no object'],
  ['a message with a name', talk({ ...user(text('a')), name: 'Ann' }), 'messages.0.name: no such member'],
  ['a system message', talk(user(text('a')), { role: 'system', content: 'b' }), 'messages.1.role: is neither user nor assistant'],
  ['the assistant first', talk(assistant(text('a')), user(text('b'))), 'messages.0: the first message is not the user’s'],
  ['the user twice', talk(user(text('a')), user(text('b'))), 'messages.1: has the role of the message before it'],
  ['a message without content', talk(user(), assistant(text('b'))), 'messages.0.content: is empty'],
  ['empty content as text', talk({ role: 'user', content: '' }), 'messages.0.content: is empty'],
  ['an empty assistant message in the middle', talk(user(text('a')), assistant(), user(text('b'))), 'messages.1.content: is empty'],
  [
    'content that is an object',
    talk({ role: 'user', content: {} }, assistant(text('a'))),
    'messages.0.content: is neither text nor an array',
    'messages.0.content: is empty',
  ],
  ['empty text', talk(user(text(''))), 'messages.0.content.0.text: is empty or white space'],
  ['white space', talk(user(text(' \n'))), 'messages.0.content.0.text: is empty or white space'],
  [
    'white space at the very end',
    talk(user(text('a')), assistant(text('b '))),
    'messages.1.content.0.text: the final assistant message ends with white space',
  ],

  ['an unknown block', talk(user({ type: 'video' })), 'messages.0.content.0: no such kind of block'],
  ['a member no text has', talk(user({ ...text('a'), id: 1 })), 'messages.0.content.0.id: no such member'],
  ['text that is no text', talk(user({ type: 'text', text: 1 })), 'messages.0.content.0.text: is no text'],
  [
    'an image of the assistant',
    talk(user(text('a')), assistant(image)),
    'messages.1.content.0: image may not stand in a message of the assistant',
  ],
  ['thinking of the user', talk(user(thinking('hm'), text('a'))), 'messages.0.content.0: thinking may not stand in a message of the user'],
  [
    'an image of an unknown type',
    talk(user({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AAAA' } })),
    'messages.0.content.0.source.media_type: is none of jpeg, png, gif, webp',
  ],
  [
    'an image that is no Base64',
    talk(user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A A' } })),
    'messages.0.content.0.source.data: is no Base64',
  ],
  [
    'an image from a disk',
    talk(user({ type: 'image', source: { type: 'path' } })),
    'messages.0.content.0.source: is neither base64 nor an address',
  ],
  [
    'an image by http',
    talk(user({ type: 'image', source: { type: 'url', url: 'http://a.b/c' } })),
    'messages.0.content.0.source.url: is no https address',
  ],

  [
    'a call id with a colon',
    talk(user(text('a')), assistant(call('c:1')), user({ ...result('c1'), tool_use_id: 'c:1' })),
    'messages.1.content.0.id: does not match ^[a-zA-Z0-9_-]+$',
    'messages.2.content.0.tool_use_id: does not match ^[a-zA-Z0-9_-]+$',
  ],
  [
    'a call name with a space',
    talk(user(text('a')), assistant({ ...call('1'), name: 'read it' }), user(result('1'))),
    'messages.1.content.0.name: does not match ^[a-zA-Z0-9_-]{1,128}$',
  ],
  [
    'an input that is text',
    talk(user(text('a')), assistant({ ...call('1'), input: '{}' }), user(result('1'))),
    'messages.1.content.0.input: is no object',
  ],
  [
    'is_error as text',
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), is_error: 'no' })),
    'messages.2.content.0.is_error: is neither true nor false',
  ],
  [
    'a result of a number',
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), content: 1 })),
    'messages.2.content.0.content: is neither text nor an array',
  ],
  [
    'an empty text in a result',
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), content: [text('')] })),
    'messages.2.content.0.content.0.text: is empty or white space',
  ],
  [
    'a call in a result',
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), content: [call('2')] })),
    'messages.2.content.0.content.0: may not stand in a tool result',
  ],
  [
    'a failed result without a word',
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), content: [], is_error: true })),
    'messages.2.content.0.content: may not be empty when is_error is true',
  ],
  [
    'an image in a failed result',
    talk(user(text('a')), assistant(call('1')), user({ ...result('1'), content: [image], is_error: true })),
    'messages.2.content.0.content.0: only text may stand in a result whose is_error is true',
  ],

  [
    'a call without result',
    talk(user(text('a')), assistant(call('1'), call('2')), user(result('1'))),
    'messages.1: the tool_use 2 has no tool_result in the next message',
  ],
  ['nothing but deferred tools', body({ tools: [deferred('a'), deferred('b')] }), 'tools: all of them are deferred'],
  [
    'a mark on a deferred tool',
    body({ tools: [tool('read'), marked(deferred('a'), '5m')] }),
    'tools.1.cache_control: may not stand on a deferred tool',
  ],
  [
    'a load of a tool that is not deferred',
    talk(user(text('a')), assistant(call('1')), user(loading('read'))),
    'messages.2.content.0.content.0.tool_name: no such tool is defined as deferred',
  ],
  ['a call at the end', talk(user(text('a')), assistant(call('1'))), 'messages.1: the tool_use 1 has no tool_result in the next message'],
  ['a result of nothing', talk(user(result('1'))), 'messages.0: the tool_result 1 has no tool_use in the previous message'],
  [
    'a result that comes late',
    talk(user(text('a')), assistant(call('1')), user(result('1')), assistant(call('2')), user(result('2'), result('1'))),
    'messages.4: the tool_result 1 has no tool_use in the previous message',
  ],
  [
    'a result twice',
    talk(user(text('a')), assistant(call('1')), user(result('1'), result('1'))),
    'messages.2: the tool_use 1 has more than one tool_result',
  ],
  [
    'a call id twice',
    talk(user(text('a')), assistant(call('1')), user(result('1')), assistant(call('1')), user(result('1'))),
    'messages: the tool_use id 1 occurs more than once',
  ],
  [
    'words before a result',
    talk(user(text('a')), assistant(call('1')), user(text('b'), result('1'))),
    'messages.2: a tool_result stands after other content',
  ],
  [
    'calls without tools',
    body({ tools: undefined, messages: [user(text('a')), assistant(call('1')), user(result('1'))] }),
    'tools: are missing, but tool blocks occur',
  ],

  ['tools that are no array', body({ tools: {} }), 'tools: is no array'],
  ['two tools of one name', body({ tools: [tool('read'), tool('read')] }), 'tools: the name read occurs more than once'],
  ['a tool name with a dot', body({ tools: [tool('fs.read')] }), 'tools.0.name: does not match ^[a-zA-Z0-9_-]{1,128}$'],
  ['a tool name of 129 characters', body({ tools: [tool('a'.repeat(129))] }), 'tools.0.name: does not match ^[a-zA-Z0-9_-]{1,128}$'],
  ['a tool without schema', body({ tools: [{ name: 'read' }] }), 'tools.0.input_schema: is no object'],
  ['a schema without type', body({ tools: [{ name: 'read', input_schema: {} }] }), 'tools.0.input_schema.type: is not object'],
  [
    'a choice at the top of a schema',
    body({ tools: [{ name: 'read', input_schema: { type: 'object', oneOf: [] } }] }),
    'tools.0.input_schema.oneOf: may not stand at the top',
  ],
  [
    'an odd property name',
    body({ tools: [{ name: 'read', input_schema: { type: 'object', properties: { 'a b': {} } } }] }),
    'tools.0.input_schema.properties: the name a b does not match ^[a-zA-Z0-9_.-]{1,64}$',
  ],
  ['a tool with an unknown member', body({ tools: [{ ...tool('read'), parameters: {} }] }), 'tools.0.parameters: no such member'],
  ['a tool of another type', body({ tools: [{ ...tool('read'), type: 'function' }] }), 'tools.0.type: is not custom'],
  ['a description that is no text', body({ tools: [{ ...tool('read'), description: 1 }] }), 'tools.0.description: is no text'],
  ['an unknown choice', body({ tool_choice: { type: 'all' } }), 'tool_choice: is none of auto, any, tool, none'],
  [
    'the choice of a tool that is not there',
    body({ tool_choice: { type: 'tool', name: 'write' } }),
    'tool_choice.name: there is no such tool',
  ],
  ['a choice without tools', body({ tools: undefined, tool_choice: { type: 'auto' } }), 'tool_choice: there are no tools'],

  ['an image in the system prompt', body({ system: [image] }), 'system.0: only text may stand in the system prompt'],
  ['empty text in the system prompt', body({ system: [text(' ')] }), 'system.0.text: is empty or white space'],
  ['an unknown member in the system prompt', body({ system: [{ ...text('a'), id: 1 }] }), 'system.0.id: no such member'],

  [
    'thinking without signature',
    talk(user(text('a')), assistant({ type: 'thinking', thinking: 'hm' }, text('b'))),
    'messages.1.content.0.signature: is missing',
  ],
  [
    'thinking signed over another text',
    talk(user(text('a')), assistant({ ...thinking('hm'), thinking: 'ha' }, text('b'))),
    'messages.1.content.0.signature: is not of this model and text',
  ],
  [
    'thinking without text',
    talk(user(text('a')), assistant({ type: 'thinking', signature: 'x' }, text('b'))),
    'messages.1.content.0.thinking: is no text',
  ],
  [
    'redacted thinking without data',
    talk(user(text('a')), assistant({ type: 'redacted_thinking', data: '' }, text('b'))),
    'messages.1.content.0.data: is missing',
  ],
  [
    'redacted thinking of another model',
    talk(user(text('a')), assistant({ ...redacted, data: 'x' }, text('b'))),
    'messages.1.content.0.data: is not of this model',
  ],
  [
    'thinking after text',
    talk(user(text('a')), assistant(text('b'), thinking('hm'), text('c'))),
    'messages.1: holds thinking, but does not start with it',
  ],
  ['thinking at the end of a message', talk(user(text('a')), assistant(thinking('hm'))), 'messages.1: ends with thinking'],
  [
    'an unknown kind of thinking',
    body({ thinking: { type: 'much' } }),
    'thinking.type: is none of enabled, disabled, adaptive, between_tools',
  ],
  [
    'a budget below 1024',
    body({ ...enabled, thinking: { type: 'enabled', budget_tokens: 1_023 } }),
    'thinking.budget_tokens: is not at least 1024',
  ],
  ['a budget as large as the output', body({ ...enabled, max_tokens: 1_024 }), 'max_tokens: is not greater than thinking.budget_tokens'],
  ['a temperature with thinking', body({ ...enabled, temperature: 0 }), 'temperature: may only be 1 while thinking is enabled'],
  ['top_k with thinking', body({ ...enabled, top_k: 3 }), 'top_k: may not be set while thinking is enabled'],
  [
    'a forced tool with thinking',
    body({ ...enabled, tool_choice: { type: 'any' } }),
    'tool_choice: may not force a tool while thinking is enabled',
  ],
  [
    'a tool loop that does not start with thinking',
    body({
      ...enabled,
      messages: [user(text('a')), assistant(call('1')), user(result('1')), assistant(thinking('hm'), call('2')), user(result('2'))],
    }),
    'messages.1: the open turn does not start with thinking',
  ],
  [
    'thinking in a tool loop while it is disabled',
    body({ thinking: { type: 'disabled' }, messages: [user(text('a')), assistant(thinking('hm'), call('1')), user(result('1'))] }),
    'messages.1: holds thinking while thinking is disabled',
  ],

  [
    'five marks',
    body({ system: ['a', 'b', 'c', 'd', 'e'].map((words) => marked(text(words), '5m')) }),
    'cache_control: 5 marks, and 4 are the most',
  ],
  [
    'a fifth mark on the whole request',
    body({ system: ['a', 'b', 'c', 'd'].map((words) => marked(text(words), '5m')), cache_control: { type: 'ephemeral' } }),
    'cache_control: 5 marks, and 4 are the most',
  ],
  [
    'a mark on thinking',
    talk(user(text('a')), assistant(marked(thinking('hm'), '5m'), text('b'))),
    'messages.1.content.0.cache_control: may not stand on thinking',
  ],
  [
    'a mark on empty text',
    body({ system: [marked(text(''), '5m')] }),
    'system.0.text: is empty or white space',
    'system.0.cache_control: may not stand on empty text',
  ],
  [
    'a mark of another type',
    body({ system: [{ ...text('a'), cache_control: { type: 'forever' } }] }),
    'system.0.cache_control.type: is not ephemeral',
  ],
  [
    'a mark with a member too many',
    body({ system: [{ ...text('a'), cache_control: { type: 'ephemeral', id: 1 } }] }),
    'system.0.cache_control.id: no such member',
  ],
  [
    'a mark of two hours',
    body({ system: [{ ...text('a'), cache_control: { type: 'ephemeral', ttl: '2h' } }] }),
    'system.0.cache_control.ttl: is neither 5m nor 1h',
  ],
  [
    'an hour after five minutes',
    body({ tools: [{ ...tool('read'), cache_control: { type: 'ephemeral' } }], system: [marked(text('s'), '1h')] }),
    'system.0.cache_control.ttl: 1h stands after 5m',
  ],
];

describe('the validator of Anthropic requests', () => {
  for (const [what, value] of good) {
    it(`takes ${what}`, () => {
      assert.deepEqual(faults(value), []);
    });
  }

  for (const [what, value, ...expected] of bad) {
    it(`refuses ${what}`, () => {
      assert.deepEqual(faults(value), expected);
    });
  }
});
