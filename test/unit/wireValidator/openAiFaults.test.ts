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

/** A valid body with these members replaced. Undefined removes one. */
function body(change: Members): Members {
  const all: Members = { model: 'a-model', stream: true, messages: [user('hi')], ...change };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function talk(...messages: unknown[]): Members {
  return body({ messages });
}

function called(change: Members): Members {
  const changed = { ...call('c1'), ...change };
  return talk(user('a'), calling(changed), answer(String(changed['id'])));
}

/** A body with its faults. Some faults bring another one along. */
const bad: readonly (readonly [unknown, ...string[]])[] = [
  [body({ max_tokens: 0 }), 'max_tokens: is no whole number of at least 1'],
  [body({ max_tokens: 1, max_completion_tokens: 1 }), 'max_tokens: stands beside max_completion_tokens'],
  [talk(user('a\uDC00')), 'body.messages.0.content: holds half a surrogate pair'],
  [talk(), 'messages: there are none'],
  [talk(user('a'), said('b'), system, user('c')), 'messages.2: a system message stands after other messages'],
  [talk({ role: 'user' }), 'messages.0.content: is missing'],
  [talk(user([])), 'messages.0.content: is empty'],
  [talk(user('')), 'messages.0.content: is empty or white space'],
  [talk(user([text(' '), text('a')])), 'messages.0.content.0: is empty or white space'],
  [talk({ role: 'system', content: '' }, user('a')), 'messages.0.content: is empty or white space'],
  [talk(user('a'), said([text('')]), user('b')), 'messages.1.content.0: is empty or white space'],
  [talk(user('a'), said([image(PNG)]), user('b')), 'messages.1.content.0: image_url may not stand in a message of the role assistant'],
  [
    talk(user('a'), calling(call('1')), { ...answer('1'), content: [image(PNG)] }),
    'messages.2.content.0: image_url may not stand in a message of the role tool',
  ],
  [
    talk(user([image('data:image/tiff;base64,AAAA')])),
    'messages.0.content.0.image_url.url: is neither an https address nor a data URL of an image',
  ],
  [
    talk(user([image('data:image/png;base64,A')])),
    'messages.0.content.0.image_url.url: is neither an https address nor a data URL of an image',
  ],
  [talk(user('a'), said(null), user('b')), 'messages.1: has neither content nor tool_calls'],
  [talk(user('a'), { ...said('b'), tool_calls: [] }, user('c')), 'messages.1.tool_calls: is an empty array'],
  [called({ id: 'c'.repeat(41) }), 'messages.1.tool_calls.0.id: is empty or longer than 40'],
  [called({ cache_control: { type: 'ephemeral' } }), 'messages.1.tool_calls.0.cache_control: no such member'],
  [
    called({ function: { name: 'fs.read', arguments: '{}' } }),
    'messages.1.tool_calls.0.function.name: does not match ^[a-zA-Z0-9_-]{1,64}$',
  ],
  [called({ function: { name: 'read', arguments: '{"pa' } }), 'messages.1.tool_calls.0.function.arguments: is no text of a JSON object'],
  [talk(user('a'), calling(call('1'), call('2')), answer('1')), 'messages.1: the tool call 2 has no tool message directly after it'],
  [
    talk(user('a'), calling(call('1'), call('2')), answer('1'), user('b'), answer('2')),
    'messages.1: the tool call 2 has no tool message directly after it',
    'messages.4: the tool message 2 answers no call directly before it',
  ],
  [talk(user('a'), said('b'), answer('1')), 'messages.2: the tool message 1 answers no call directly before it'],
  [talk(user('a'), calling(call('1')), answer('1'), answer('1')), 'messages.3: the tool call 1 has more than one tool message'],
  [talk(user('a'), calling(call('1')), answer('1'), calling(call('1')), answer('1')), 'messages: the tool call id 1 occurs more than once'],
  [body({ tools: [] }), 'tools: is no array, or an empty one'],
  [body({ tools: Array.from({ length: 129 }, (_, n) => tool(`t${n}`)) }), 'tools: are more than 128'],
  [body({ tools: [tool('read'), tool('read')] }), 'tools: the name read occurs more than once'],
  [
    body({ tools: [{ type: 'function', function: { name: 'a', parameters: {} } }] }),
    'tools.0.function.parameters: is no schema of the type object',
  ],
  [body({ tool_choice: 'none' }), 'tool_choice: there are no tools'],
  [talk(user(['a', 'b', 'c', 'd', 'e'].map((words) => marked(text(words), '5m')))), 'cache_control: 5 marks, and 4 are the most'],
  [talk(user([marked(text('a'), '5m'), marked(text('b'), '1h')])), 'messages.0.content.1.cache_control.ttl: 1h stands after 5m'],
  [body({ cache_control: { type: 'ephemeral' } }), 'body.cache_control: may only stand on a content part'],
];

describe('the validator of OpenAI requests', () => {
  for (const [value, ...expected] of bad) {
    it(`refuses a body: ${expected.join(', ')}`, () => {
      assert.deepEqual(openAiFaults(value), expected);
    });
  }
});
