import assert from 'node:assert/strict';
import type { Json } from '../../../src/engine/json.js';
import { LoupeError } from '../../../src/engine/errors.js';
import type { PracticeMessage, PracticeRequest } from '../../../src/providers/practice/wire.js';
import { calls, FakeClock, practiceModel, receive, requestOf, results, says, tool, user } from './support.js';

async function assertRefused(request: PracticeRequest | Json, words: RegExp): Promise<void> {
  const { parts, error } = await receive(practiceModel(new FakeClock()), request, new AbortController().signal);
  assert.deepEqual(parts, []);
  assert.ok(error instanceof LoupeError, String(error));
  assert.equal(error.kind, 'protocol');
  assert.match(error.message, words);
}

describe('the wire rules of the practice model', () => {
  const broken: readonly (readonly [string, readonly PracticeMessage[], RegExp])[] = [
    ['no message', [], /no messages/],
    ['an assistant that speaks first', [says('hi')], /message 1 has the role assistant/],
    ['two user turns in a row', [user('a'), user('b')], /message 2 has the role user/],
    ['two assistant turns in a row', [user('a'), says('b'), says('c')], /message 3 has the role assistant/],
    ['an assistant that speaks last', [user('a'), says('b')], /ends with an assistant message/],
    ['an empty message', [user()], /message 1 is empty/],
    ['an empty text', [user('a'), says(''), user('b')], /message 2 contains an empty text/],
    ['a text of white space', [user(' \n')], /message 1 contains an empty text/],
    ['a tool call without result', [user('a'), calls('c1'), user('b')], /message 3 lacks the results.*c1/],
    ['a missing result of several', [user('a'), calls('c1', 'c2'), results('c1')], /results of the tool calls c2/],
    ['a result that comes late', [user('a'), calls('c1'), user('b'), says('c'), results('c1')], /message 3 lacks the results/],
    ['a result without a call', [user('a'), says('b'), results('c1')], /message 3 contains results.*c1/],
    ['a result before any call', [results('c1')], /message 1 contains results/],
    ['a result of another call', [user('a'), calls('c1'), results('c1', 'c2')], /directly before it: c2/],
    ['a result given twice', [user('a'), calls('c1'), results('c1', 'c1')], /directly before it: c1/],
    ['a call id used again', [user('a'), calls('c1'), results('c1'), calls('c1'), results('c1')], /uses the tool call id c1 again/],
    ['a call id used twice in a message', [user('a'), calls('c1', 'c1'), results('c1')], /uses the tool call id c1/],
  ];
  for (const [what, messages, words] of broken) {
    it(`refuse ${what}`, async () => {
      await assertRefused(requestOf(...messages), words);
    });
  }

  it('refuse an empty part of the system prompt', async () => {
    await assertRefused({ ...requestOf(user('a')), system: [{ type: 'text', text: '' }] }, /system prompt is empty/);
  });

  it('refuse more than four cache breakpoints', async () => {
    const system: PracticeRequest['system'] = Array.from({ length: 4 }, () => ({ type: 'text', text: 'x', cache: '5m' }));
    const tools: PracticeRequest['tools'] = [{ ...tool(''), cache: '1h' }];
    await assertRefused({ ...requestOf(user('a')), system, tools }, /5 cache breakpoints, the limit is 4/);
  });

  const unreadable: readonly (readonly [string, Json, RegExp])[] = [
    ['a body of another shape', [], /the request is wrong/],
    ['an unknown key', { ...requestOf(user('a')), temperature: 1 }, /the request is wrong/],
    ['an unknown role', { ...requestOf(), messages: [{ role: 'system', content: [] }] }, /messages\.0\.role is wrong/],
    [
      'a tool result in a user message',
      { ...requestOf(), messages: [{ role: 'user', content: results('c1').content }] },
      /messages\.0\.content\.0\.type is wrong/,
    ],
    [
      'arguments that are no object',
      { ...requestOf(), messages: [{ role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n', args: [] }] }] },
      /messages\.0\.content\.0\.args is wrong/,
    ],
    ['an unknown time to live', { ...requestOf(), system: [{ type: 'text', text: 'a', cache: '2h' }] }, /system\.0\.cache is wrong/],
    ['a negative output limit', { ...requestOf(user('a')), max_tokens: -1 }, /max_tokens is wrong/],
  ];
  for (const [what, body, words] of unreadable) {
    it(`refuse ${what}, naming the place`, async () => {
      await assertRefused(body, words);
    });
  }

  it('allow an empty tool result: a tool may have nothing to say', async () => {
    const silent: PracticeMessage = {
      role: 'tool',
      content: [{ type: 'toolResult', callId: 'c1', name: 'read', content: [{ type: 'text', text: '' }], isError: false }],
    };
    const request = requestOf(user('a'), calls('c1'), silent);
    const { error } = await receive(practiceModel(new FakeClock()), request, new AbortController().signal);
    assert.equal(error, null);
  });

  it('allow results in another order than their calls', async () => {
    const request = requestOf(user('a'), calls('c1', 'c2'), results('c2', 'c1'));
    const { error } = await receive(practiceModel(new FakeClock()), request, new AbortController().signal);
    assert.equal(error, null);
  });
});
