import assert from 'node:assert/strict';
import { openAiFaults } from '../../support/wire/openAiFaults.js';

type Members = Record<string, unknown>;

const system: Members = { role: 'system', content: 'Be brief.' };
const user = (content: unknown): Members => ({ role: 'user', content });
const said = (content: unknown): Members => ({ role: 'assistant', content });
const call = (id: string): Members => ({ id, type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } });
const calling = (...calls: unknown[]): Members => ({ role: 'assistant', content: null, tool_calls: calls });
const answer = (id: string): Members => ({ role: 'tool', tool_call_id: id, content: 'found' });
const text = (words: string): Members => ({ type: 'text', text: words });
const image = (url: string): Members => ({ type: 'image_url', image_url: { url } });
const tool = (name: string): Members => ({ type: 'function', function: { name, description: 'Reads.', parameters: { type: 'object' } } });
const marked = (part: Members, ttl: '5m' | '1h'): Members => ({ ...part, cache_control: { type: 'ephemeral', ttl } });

const PNG = 'data:image/png;base64,iVBORw==';

/** A good body with the members given in place of its own; undefined removes one. */
function body(change: Members): Members {
  const all: Members = { model: 'a-model', stream: true, messages: [user('hi')], ...change };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function talk(...messages: unknown[]): Members {
  return body({ messages });
}

/** A body in which the tool call is as given; its answer fits. */
function called(change: Members): Members {
  const changed = { ...call('c1'), ...change };
  return talk(user('a'), calling(changed), answer(String(changed['id'])));
}

const good: readonly (readonly [string, Members])[] = [
  ['one message of the user', body({})],
  ['a system message in front', talk(system, user('hi'))],
  ['a developer message in front', talk({ ...system, role: 'developer' }, user('hi'))],
  ['parts', talk(user([text('look'), image(PNG), image('https://example.org/a.png')]), said([text('I see.')]), user('ok'))],
  ['parallel calls with their answers', talk(user('a'), calling(call('1'), call('2')), answer('2'), answer('1'), user('b'))],
  ['an id of 40 characters', called({ id: 'c'.repeat(40) })],
  ['an answer without a word', talk(user('a'), calling(call('1')), { ...answer('1'), content: '' })],
  ['words beside a call', talk(user('a'), { ...calling(call('1')), content: 'I look.' }, answer('1'))],
  ['empty words beside a call', talk(user('a'), { ...calling(call('1')), content: '' }, answer('1'))],
  ['reasoning beside words', talk(user('a'), { ...said('b'), reasoning_content: 'hm' }, user('c'))],
  ['tools', body({ tools: [tool('read'), tool('write')], tool_choice: 'auto', parallel_tool_calls: false })],
  ['a tool without parameters', body({ tools: [{ type: 'function', function: { name: 'read' } }] })],
  ['limits and options', body({ max_completion_tokens: 1, stream_options: { include_usage: true }, temperature: 0, seed: 1 })],
  ['an answer at once', body({ stream: false })],
  [
    'four marks, the longer ones first',
    talk(
      { role: 'system', content: [marked(text('s'), '1h')] },
      user([marked(text('a'), '1h'), marked(text('b'), '5m'), marked(image(PNG), '5m')]),
    ),
  ],
];

/** What is wrong, a body with it, and what is then said: more than one thing where one brings the other along. */
const bad: readonly (readonly [string, unknown, ...string[]])[] = [
  ['a body that is no object', 'hi', 'body: is no object'],
  ['no model', body({ model: undefined }), 'model: is missing'],
  ['an output limit of 0', body({ max_tokens: 0 }), 'max_tokens: is no whole number of at least 1'],
  ['a completion limit of half a token', body({ max_completion_tokens: 0.5 }), 'max_completion_tokens: is no whole number of at least 1'],
  ['both limits', body({ max_tokens: 1, max_completion_tokens: 1 }), 'max_tokens: stands beside max_completion_tokens'],
  ['a stream that is text', body({ stream: 'yes' }), 'stream: is neither true nor false'],
  ['stream options without stream', body({ stream: undefined, stream_options: {} }), 'stream_options: stands without stream'],
  ['half a surrogate pair', talk(user('a\uDC00')), 'body.messages.0.content: holds half a surrogate pair'],

  ['messages that are no array', body({ messages: 'hi' }), 'messages: is no array', 'messages: there are none'],
  ['no messages', talk(), 'messages: there are none'],
  ['a message that is text', talk('hi', user('a')), 'messages.0: is no object'],
  ['an unknown role', talk({ role: 'function', content: 'a' }), 'messages.0.role: there is no such role'],
  ['an unknown member', talk({ ...user('a'), id: 1 }), 'messages.0.id: no such member'],
  [
    'a system message in the middle',
    talk(user('a'), said('b'), system, user('c')),
    'messages.2: a system message stands after other messages',
  ],

  ['no content', talk({ role: 'user' }), 'messages.0.content: is missing'],
  ['null content of the user', talk(user(null)), 'messages.0.content: is missing'],
  ['no content of a tool', talk(user('a'), calling(call('1')), { role: 'tool', tool_call_id: '1' }), 'messages.2.content: is missing'],
  ['an empty array', talk(user([])), 'messages.0.content: is empty'],
  ['content that is an object', talk(user({})), 'messages.0.content: is neither text nor an array', 'messages.0.content: is empty'],
  ['empty text of the user', talk(user('')), 'messages.0.content: is empty or white space'],
  ['an empty part of the user', talk(user([text(' '), text('a')])), 'messages.0.content.0: is empty or white space'],
  ['an empty system message', talk({ role: 'system', content: '' }, user('a')), 'messages.0.content: is empty or white space'],
  ['an empty part of the assistant', talk(user('a'), said([text('')]), user('b')), 'messages.1.content.0: is empty or white space'],
  ['a part without text', talk(user([{ type: 'text' }])), 'messages.0.content.0: is no text'],
  ['a part with a member too many', talk(user([{ ...text('a'), id: 1 }])), 'messages.0.content.0.id: no such member'],
  ['an unknown part', talk(user([{ type: 'video' }])), 'messages.0.content.0: video may not stand in a message of the role user'],
  [
    'an image of the assistant',
    talk(user('a'), said([image(PNG)]), user('b')),
    'messages.1.content.0: image_url may not stand in a message of the role assistant',
  ],
  [
    'an image of a tool',
    talk(user('a'), calling(call('1')), { ...answer('1'), content: [image(PNG)] }),
    'messages.2.content.0: image_url may not stand in a message of the role tool',
  ],
  ['an image without address', talk(user([{ type: 'image_url', image_url: PNG }])), 'messages.0.content.0.image_url.url: is missing'],
  [
    'an image of an unknown type',
    talk(user([image('data:image/tiff;base64,AAAA')])),
    'messages.0.content.0.image_url.url: is neither an https address nor a data URL of an image',
  ],
  [
    'an image that is no Base64',
    talk(user([image('data:image/png;base64,A')])),
    'messages.0.content.0.image_url.url: is neither an https address nor a data URL of an image',
  ],
  ['an assistant that says nothing', talk(user('a'), said(null), user('b')), 'messages.1: has neither content nor tool_calls'],
  ['an assistant that says ""', talk(user('a'), said(''), user('b')), 'messages.1: has neither content nor tool_calls'],

  ['an empty array of calls', talk(user('a'), { ...said('b'), tool_calls: [] }, user('c')), 'messages.1.tool_calls: is an empty array'],
  ['calls that are no array', talk(user('a'), { ...said('b'), tool_calls: {} }, user('c')), 'messages.1.tool_calls: is no array'],
  ['calls of the user', talk({ ...user('a'), tool_calls: [] }), 'messages.0.tool_calls: no such member'],
  ['a call of another type', called({ type: 'custom' }), 'messages.1.tool_calls.0.type: is not function'],
  ['an empty id', called({ id: '' }), 'messages.1.tool_calls.0.id: is empty or longer than 40'],
  ['an id of 41 characters', called({ id: 'c'.repeat(41) }), 'messages.1.tool_calls.0.id: is empty or longer than 40'],
  ['a mark on a call', called({ cache_control: { type: 'ephemeral' } }), 'messages.1.tool_calls.0.cache_control: no such member'],
  [
    'a name with a dot',
    called({ function: { name: 'fs.read', arguments: '{}' } }),
    'messages.1.tool_calls.0.function.name: does not match ^[a-zA-Z0-9_-]{1,64}$',
  ],
  [
    'arguments that are an object',
    called({ function: { name: 'read', arguments: {} } }),
    'messages.1.tool_calls.0.function.arguments: is no text of a JSON object',
  ],
  [
    'arguments of broken JSON',
    called({ function: { name: 'read', arguments: '{"pa' } }),
    'messages.1.tool_calls.0.function.arguments: is no text of a JSON object',
  ],
  [
    'arguments of a list',
    called({ function: { name: 'read', arguments: '[]' } }),
    'messages.1.tool_calls.0.function.arguments: is no text of a JSON object',
  ],
  [
    'a function with a member too many',
    called({ function: { name: 'read', arguments: '{}', id: 1 } }),
    'messages.1.tool_calls.0.function.id: no such member',
  ],

  [
    'a call without answer',
    talk(user('a'), calling(call('1'), call('2')), answer('1')),
    'messages.1: the tool call 2 has no tool message directly after it',
  ],
  [
    'something between call and answer',
    talk(user('a'), calling(call('1'), call('2')), answer('1'), user('b'), answer('2')),
    'messages.1: the tool call 2 has no tool message directly after it',
    'messages.4: the tool message 2 answers no call directly before it',
  ],
  ['an answer to nothing', talk(user('a'), said('b'), answer('1')), 'messages.2: the tool message 1 answers no call directly before it'],
  [
    'an answer twice',
    talk(user('a'), calling(call('1')), answer('1'), answer('1')),
    'messages.3: the tool call 1 has more than one tool message',
  ],
  [
    'a call id twice',
    talk(user('a'), calling(call('1')), answer('1'), calling(call('1')), answer('1')),
    'messages: the tool call id 1 occurs more than once',
  ],

  ['an empty array of tools', body({ tools: [] }), 'tools: is no array, or an empty one'],
  ['129 tools', body({ tools: Array.from({ length: 129 }, (_, n) => tool(`t${n}`)) }), 'tools: are more than 128'],
  ['two tools of one name', body({ tools: [tool('read'), tool('read')] }), 'tools: the name read occurs more than once'],
  ['a tool of another type', body({ tools: [{ ...tool('read'), type: 'custom' }] }), 'tools.0.type: is not function'],
  ['a tool with a member too many', body({ tools: [{ ...tool('read'), cache_control: {} }] }), 'tools.0.cache_control: no such member'],
  [
    'a function with an input schema',
    body({ tools: [{ type: 'function', function: { name: 'read', input_schema: {} } }] }),
    'tools.0.function.input_schema: no such member',
  ],
  [
    'a tool without name',
    body({ tools: [{ type: 'function', function: {} }] }),
    'tools.0.function.name: does not match ^[a-zA-Z0-9_-]{1,64}$',
  ],
  ['a tool name of 65 characters', body({ tools: [tool('a'.repeat(65))] }), 'tools.0.function.name: does not match ^[a-zA-Z0-9_-]{1,64}$'],
  [
    'a description that is no text',
    body({ tools: [{ type: 'function', function: { name: 'a', description: 1 } }] }),
    'tools.0.function.description: is no text',
  ],
  [
    'parameters without type',
    body({ tools: [{ type: 'function', function: { name: 'a', parameters: {} } }] }),
    'tools.0.function.parameters: is no schema of the type object',
  ],
  ['a choice without tools', body({ tool_choice: 'none' }), 'tool_choice: there are no tools'],
  ['parallel calls without tools', body({ parallel_tool_calls: true }), 'parallel_tool_calls: there are no tools'],

  [
    'five marks',
    talk(user(['a', 'b', 'c', 'd', 'e'].map((words) => marked(text(words), '5m')))),
    'cache_control: 5 marks, and 4 are the most',
  ],
  [
    'an hour after five minutes',
    talk(user([marked(text('a'), '5m'), marked(text('b'), '1h')])),
    'messages.0.content.1.cache_control.ttl: 1h stands after 5m',
  ],
  [
    'a mark of another type',
    talk(user([{ ...text('a'), cache_control: true }])),
    'messages.0.content.0.cache_control.type: is not ephemeral',
  ],
  ['a mark on a message', talk({ ...user('a'), cache_control: { type: 'ephemeral' } }), 'messages.0.cache_control: no such member'],
  ['a mark on the body', body({ cache_control: { type: 'ephemeral' } }), 'body.cache_control: may only stand on a content part'],
];

describe('the validator of OpenAI requests', () => {
  for (const [what, value] of good) {
    it(`takes ${what}`, () => {
      assert.deepEqual(openAiFaults(value), []);
    });
  }

  for (const [what, value, ...expected] of bad) {
    it(`refuses ${what}`, () => {
      assert.deepEqual(openAiFaults(value), expected);
    });
  }
});
