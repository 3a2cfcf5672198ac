import assert from 'node:assert/strict';
import type { RetryPlan } from '../../../src/engine/chat/slices/attempts.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { Message } from '../../../src/engine/chat/message/message.js';
import { FAILURES, type FailureCode } from '../../../src/engine/failures/failures.js';
import type { AssistantEntry, EntryView } from '../../../src/protocol/panel/entries.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { PRACTICE_SMALL } from '../../../src/providers/practice/models.js';
import { column, columns } from '../../support/columns.js';
import { attemptEnded, attemptStarted, errorRecord, logged, runStarted, stateOf, usage } from '../../support/engine/events.js';
import { assistant, call, reasoning, user } from '../../support/engine/messages.js';
import { useWindows } from '../../support/host/window.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { messageIdOf } from '../../../src/engine/chat/shownMessages.js';
import { failure } from '../../../src/engine/errors.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { longTalk, messagesIn, summarize } from '../../support/host/longTalk.js';
import { lastReply, lastUser, unsentTexts } from '../../support/host/reading.js';

const ASKED = [logged('r', user('u', 'Hello')), runStarted('r', 'u')];

function entriesOf(...drafts: NewEvent[]): readonly EntryView[] {
  return new EntryViews(() => ANY_MODEL).derive(stateOf(...ASKED, ...drafts), 10).entries;
}

function failedAttempt(id: string, retry: RetryPlan | null): NewEvent[] {
  return [attemptStarted('r', id), { ...attemptEnded('r', id, 'failed'), retry }];
}

describe('the entry of a reply', () => {
  const windows = useWindows();

  async function replyTo(text: string): Promise<AssistantEntry> {
    const { session } = await windows.openChat({ config: { model: PRACTICE_SMALL.ref } }, text);
    const { entries } = new EntryViews(() => ANY_MODEL).derive(session.state, 10);
    const reply = entries.findLast((entry) => entry.kind === 'assistant');
    assert.ok(reply);
    return reply;
  }

  it('is done when the model has ended it', async () => {
    assert.equal((await replyTo('/long 3')).status, 'done');
  });

  it('says when the output limit cut it off', async () => {
    const { status, usage } = await replyTo('/long 9000');
    assert.equal(status, 'cutOff');
    assert.equal(usage?.outputTokens, PRACTICE_SMALL.maxOutputTokens);
  });
});

describe('the reasoning of a reply', () => {
  const times = (reasoningMs: readonly number[]): readonly unknown[] => {
    const said = assistant('a', reasoning('Hm', null), 'Yes', reasoning('And', null));
    const ended = { ...attemptEnded('r', said.attemptId, 'complete'), reasoningMs };
    const entry = entriesOf(attemptStarted('r', said.attemptId), ended, logged('r', said)).find(({ kind }) => kind === 'assistant');
    return entry?.kind === 'assistant' ? entry.parts.map((part) => (part.type === 'reasoning' ? part.ms : part.type)) : [];
  };

  it('shows how long each part took, unless one of them is missing', () => {
    assert.deepEqual(times([1_200, 300]), [1_200, 'text', 300]);
    assert.deepEqual(times([1_200, 300, 40]), [null, 'text', null]);
  });
});

describe('a tool call without a result', () => {
  const interrupted: readonly NewEvent[] = [logged('r', assistant('m', call('c', {}))), { type: 'run-interrupted', runId: 'r' }];

  function statusAfter(...later: readonly NewEvent[]): unknown {
    const reply = entriesOf(...interrupted, ...later).find((entry) => entry.kind === 'assistant');
    return reply?.parts.map((part) => (part.type === 'toolCall' ? part.status.kind : part.type));
  }

  it('can only be settled by a run of its turn', () => {
    const continued = (userMessageId: string): NewEvent => ({ type: 'run-started', runId: 'q', cause: 'continue', userMessageId });
    assert.deepEqual(
      [
        statusAfter(),
        statusAfter(continued('u')),
        statusAfter(continued('u'), logged('q', assistant('n', call('d', {})))),
        statusAfter(logged('s', user('v', 'Next')), runStarted('s', 'v'), { type: 'run-interrupted', runId: 's' }, continued('v')),
      ],
      [['lost'], ['pending'], ['lost'], ['lost']],
    );
  });
});

describe('a reply that the provider ended because of its content', () => {
  it('says so, also when nothing of it came', () => {
    const message: Message = { role: 'assistant', id: 'm', parts: [], attemptId: 'a', cacheControlIndex: null, stopped: false };
    const ended = { ...attemptEnded('r', 'a', 'complete'), stopReason: 'refused' } as const;
    const reply = entriesOf(attemptStarted('r', 'a'), ended, logged('r', message), { type: 'run-committed', runId: 'r' }).at(-1);
    assert.deepEqual(reply?.kind === 'assistant' && reply.status, 'refused');
  });
});

describe('a request that failed and is made again', () => {
  const RETRY: RetryPlan = { at: 5_000, number: 2, most: 4 };

  it('shows why, how often, and when, in place of an empty reply', () => {
    const entries = entriesOf(...failedAttempt('a', { ...RETRY, number: 1 }), ...failedAttempt('b', RETRY));
    const [, wait, ...more] = entries;
    assert.ok(wait?.kind === 'retry' && more.length === 0);
    const { failures, ...shown } = wait;
    assert.deepEqual(shown, {
      kind: 'retry',
      id: 'retry-r-2',
      attemptId: 'b',
      text: 'Failed 2 times: The connection broke.',
      at: 5_000,
      number: 2,
      most: 4,
    });
    assert.deepEqual(column(failures, 'id'), ['a', 'b']);
    assert.deepEqual(
      failures.map(({ durationMs, waitMs }) => [durationMs > 0, waitMs === null ? null : waitMs > 0]),
      [
        [true, true],
        [true, null],
      ],
    );
  });

  it('is part of the next reply of its turn', () => {
    const reply = (id: string, attemptId: string): Message => ({
      ...{ role: 'assistant', id, parts: [{ type: 'text', text: 'Yes.' }], attemptId, cacheControlIndex: null, stopped: false },
    });
    const answered = (id: string): NewEvent[] => [
      attemptStarted('r', id),
      attemptEnded('r', id, 'complete'),
      logged('r', reply(`m-${id}`, id)),
    ];
    const entries = entriesOf(...failedAttempt('a', RETRY), ...answered('b'), ...failedAttempt('c', RETRY), ...answered('d'));
    const replies = entries.flatMap((entry) => (entry.kind === 'assistant' ? [[entry.id, column(entry.failures, 'id')]] : []));
    assert.deepEqual(column(entries, 'id'), ['u', 'b', 'd']);
    assert.deepEqual(replies, [
      ['b', ['a']],
      ['d', ['c']],
    ]);
  });

  it('is a line above the reply that streams as soon as the next request is on its way', () => {
    const entries = entriesOf(...failedAttempt('a', RETRY), attemptStarted('r', 'b'));
    assert.deepEqual(columns(entries, 'kind', 'id'), [
      ['user', 'u'],
      ['failures', 'failures-r'],
      ['assistant', 'b'],
    ]);
  });

  it('has no wait in its line when the run ended meanwhile', () => {
    const [, line, note] = entriesOf(...failedAttempt('a', RETRY), { type: 'run-stopped', runId: 'r' });
    assert.ok(line?.kind === 'failures' && note?.kind === 'runNote');
    assert.deepEqual([column(line.failures, 'waitMs'), note.attemptId], [[null], null]);
  });
});

describe('the note of a failed run', () => {
  it('opens the last request, unless that has an entry of its own', () => {
    const error = errorRecord('It failed.');
    const attemptOf = (...attempt: NewEvent[]): string | null | undefined => {
      const note = entriesOf(...attempt, { type: 'run-rolled-back', runId: 'r', error }).at(-1);
      return note?.kind === 'runNote' ? note.attemptId : undefined;
    };
    assert.equal(attemptOf(), null, 'nothing was sent');
    assert.equal(attemptOf(...failedAttempt('a', null)), 'a');
    const partial: NewEvent = {
      type: 'attempt-progress',
      runId: 'r',
      attemptId: 'a',
      pieces: [{ type: 'text', index: 0, offset: 0, text: 'Ye' }],
    };
    const [started, ended] = failedAttempt('a', null);
    assert.ok(started !== undefined && ended !== undefined);
    assert.equal(attemptOf(started, partial, ended), null, 'its partial text is an entry');
  });

  const actionsAfter = (code: FailureCode, ...later: NewEvent[]): readonly string[] => {
    const error = { ...errorRecord('It failed.'), code, kind: FAILURES[code].kind };
    const note = entriesOf({ type: 'run-rolled-back', runId: 'r', error }, ...later).find((entry) => entry.kind === 'runNote');
    assert.ok(note?.kind === 'runNote');
    assert.equal(note.isLast, later.length === 0);
    return note.actions;
  };

  it('offers what helps against its cause, then to try again', () => {
    assert.deepEqual(actionsAfter('http.keyRefused'), ['setKeyAndRetry', 'retry']);
    assert.deepEqual(actionsAfter('http.modelGone'), ['selectModel', 'retry']);
    assert.deepEqual(actionsAfter('request.overBudget'), ['selectModel', 'retry']);
    assert.deepEqual(actionsAfter('connection.failed'), ['retry']);
    assert.deepEqual(actionsAfter('internal.defect'), ['retry', 'showLog']);
  });

  it('offers no key for models that take none in Loupe: those of VS Code, and the practice model', () => {
    assert.deepEqual(actionsAfter('vscode.noPermission'), ['retry']);
    assert.deepEqual(actionsAfter('practice.badKey'), ['retry']);
  });

  it('shows a failure of another version of Loupe as its log tells it', () => {
    const error = { ...errorRecord('It failed.'), code: 'later.code' as FailureCode };
    const note = entriesOf({ type: 'run-rolled-back', runId: 'r', error }).find((entry) => entry.kind === 'runNote');
    assert.ok(note?.kind === 'runNote');
    assert.equal(note.isLast, true);
    assert.deepEqual([note.text, note.actions], ['It failed.', ['retry']]);
  });

  it('offers only to try again once the conversation has gone on', () => {
    assert.deepEqual(actionsAfter('http.keyRefused', logged('s', user('v', 'Next')), runStarted('s', 'v')), ['retry']);
  });
});

describe('the usage line', () => {
  it('tells for input and output whether the provider reported them', () => {
    const reported = usage(10, 20, 30, 5);
    const mixed = { ...reported, completionTokens: { value: 5, source: 'estimated' } } as const;
    const [, reply] = entriesOf(
      attemptStarted('r', 'a'),
      { type: 'attempt-progress', runId: 'r', attemptId: 'a', pieces: [{ type: 'text', index: 0, offset: 0, text: 'Hi' }] },
      { ...attemptEnded('r', 'a', 'failed'), usage: mixed },
      { type: 'run-rolled-back', runId: 'r', error: errorRecord('It failed.') },
    );
    assert.ok(reply?.kind === 'assistant');
    assert.deepEqual(reply.usage, {
      inputTokens: 60,
      cachedTokens: 20,
      writtenTokens: 30,
      outputTokens: 5,
      inputEstimated: false,
      outputEstimated: true,
      cost: null,
      isAtLeast: false,
      isCharged: false,
      isPretended: false,
      durationMs: 2,
      forecast: null,
      inherited: false,
    });
  });
});

const EXCHANGE = [
  logged('r', user('u', 'Hello')),
  runStarted('r', 'u'),
  attemptStarted('r', 'a'),
  attemptEnded('r', 'a', 'complete'),
  logged('r', { role: 'assistant', id: 'm', parts: [], attemptId: 'a', cacheControlIndex: null, stopped: false }),
  { type: 'run-committed', runId: 'r' },
] as const;

describe('the entry of a pinned message', () => {
  const pins = (...messageIds: string[]): unknown => {
    const state = stateOf(...EXCHANGE, ...messageIds.map((messageId) => ({ type: 'pinned', messageId }) as const));
    const { entries } = new EntryViews(() => ANY_MODEL).derive(state, 10);
    return entries.flatMap((entry) => ('isPinned' in entry ? [[entry.id, entry.isPinned]] : []));
  };

  it('says so, of the user and of a reply', () => {
    assert.deepEqual(pins(), [
      ['u', false],
      ['a', false],
    ]);
    assert.deepEqual(pins('u'), [
      ['u', true],
      ['a', false],
    ]);
    assert.deepEqual(pins('m'), [
      ['u', false],
      ['a', true],
    ]);
  });
});

describe('the message of an entry', () => {
  it('is that of the attempt for a reply, and is known by its own id, too', () => {
    const state = stateOf(...EXCHANGE);
    assert.equal(messageIdOf(state, 'a'), 'm');
    assert.equal(messageIdOf(state, 'm'), 'm');
    assert.equal(messageIdOf(state, 'u'), 'u');
    assert.equal(messageIdOf(state, 'not loaded'), 'not loaded');
  });
});

const SERVER = { label: 'House', status: 503, inputLimit: null, refusedMember: null };

describe('a message whose run failed', () => {
  const windows = useWindows();

  for (const layout of Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[]) {
    it(`is in no request of a summarized chat, even if it is pinned (${layout})`, async () => {
      const talk = await longTalk(windows, 2, { config: { layout } });
      const { house, session } = talk;
      house.replies.push([{ fails: failure('http.keyRefused', SERVER) }]);
      await session.conversation.send('A lost question.');
      assert.deepEqual(unsentTexts(session.state), ['A lost question.']);
      await session.marks.pin(lastUser(session.state).id);
      await session.conversation.send('Question 3.');
      await summarize(talk, lastReply(session.state).id, 'They read tide tables.');
      await session.conversation.send('Question 4.');
      const body = messagesIn(house.bodies.at(-1));
      assert.ok(body.includes('They read tide tables.'));
      assert.ok(!body.includes('lost question'), body);
    });
  }
});
