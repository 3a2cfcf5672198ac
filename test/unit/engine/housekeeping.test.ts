import assert from 'node:assert/strict';
import { lastReply, lastRun, messageBefore } from '../../../src/engine/chat/branch.js';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { lastReplyAttempt } from '../../../src/engine/request/base.js';
import { snapshotOf } from '../../../src/engine/chat/snapshot.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { column } from '../../support/columns.js';
import { attemptEnded, attemptStarted, branchIds, logged, runStarted, stateOf } from '../../support/engine/events.js';
import { NO_PAUSE } from '../../support/engine/ports.js';
import { foldAfter } from '../../support/engine/folds.js';
import { assistant, user } from '../../support/engine/messages.js';

function answered(n: number): NewEvent[] {
  const [runId, attemptId] = [`r${n}`, `at${n}`];
  return [
    logged(runId, user(`u${n}`, 'Q')),
    runStarted(runId, `u${n}`),
    attemptStarted(runId, attemptId),
    attemptEnded(runId, attemptId, 'complete'),
    logged(runId, { ...assistant(`a${n}`, 'A'), attemptId }),
    { type: 'run-committed', runId },
  ];
}

const begun: readonly NewEvent[] = [
  { type: 'run-started', runId: 'h', cause: 'summary', userMessageId: null },
  { ...attemptStarted('h', 'hat'), purpose: 'summary' },
];
const done: readonly NewEvent[] = [
  attemptEnded('h', 'hat', 'complete'),
  logged('h', { role: 'summary', id: 's', text: 'In short.' }),
  { type: 'run-committed', runId: 'h' },
];

describe('a housekeeping run', () => {
  it('says what it has to say where it began, not where it ended', () => {
    assert.deepEqual(branchIds(stateOf(...answered(1), ...begun, ...answered(2), ...done)), ['u1', 'a1', 's', 'u2', 'a2']);
  });

  it('says it on the branch that was left meanwhile, too', () => {
    const edit: NewEvent = { type: 'rewound', rewindId: 'w', to: 'a1', reason: 'edited' };
    const state = stateOf(...answered(1), ...begun, ...answered(2), edit, ...done);
    assert.deepEqual(branchIds(state), ['u1', 'a1', 's']);
    assert.deepEqual(branchIds({ ...state, timeline: state.rewinds.get('w')! }), ['u1', 'a1', 's', 'u2', 'a2']);
  });

  it('is neither sent nor the last run, and makes the chat not busy', () => {
    const state = stateOf(...answered(1), ...begun);
    assert.deepEqual([lastRun(state)?.id, lastRun(state)?.status], ['r1', 'committed']);
    const later = stateOf(...answered(1), ...begun, ...done);
    assert.deepEqual(column(transcript(later).messages, 'id'), ['u1', 'a1']);
  });

  it('made no attempt that the next request is compared with', () => {
    const state = stateOf(...answered(1), ...begun, ...done);
    assert.deepEqual([lastReplyAttempt(state)?.id, lastReply(state)?.id], ['at1', 'a1']);
  });

  it('is passed over when the message before another one is looked for', () => {
    const state = stateOf(...answered(1), ...begun, ...done, ...answered(2));
    assert.equal(messageBefore(state, user('u2', 'Q')), 'a1');
  });

  it('is a reason to take no snapshot while it goes on', async () => {
    assert.equal(await snapshotOf(stateOf(...answered(1), ...begun), 1, NO_PAUSE), null);
    assert.notEqual(await snapshotOf(stateOf(...answered(1), ...begun, ...done), 1, NO_PAUSE), null);
  });
});

describe('the last request for a reply', () => {
  it('is that of the branch on show, also when it failed', () => {
    const failed = [
      logged('r3', user('u3', 'Q')),
      runStarted('r3', 'u3'),
      attemptStarted('r3', 'at3'),
      attemptEnded('r3', 'at3', 'failed'),
    ];
    assert.equal(lastReplyAttempt(stateOf(...answered(1), ...failed))?.id, 'at3');
    const edit: NewEvent = { type: 'rewound', rewindId: 'w', to: 'a1', reason: 'edited' };
    assert.equal(lastReplyAttempt(stateOf(...answered(1), ...answered(2), edit))?.id, 'at1');
  });

  it('is none before the first', () => {
    assert.equal(lastReplyAttempt(stateOf(logged(null, user('u', 'Q')))), null);
  });
});

function summarized(name: string, to: string): NewEvent[] {
  return [
    logged(null, { role: 'summary', id: `s-${name}`, text: 'In short.' }),
    {
      type: 'compacted',
      runId: null,
      compaction: {
        ...{ id: name, from: 'u1', to, summaryId: `s-${name}`, policy: 'manual', case: 'summarize' },
        ...{ tokens: { before: 9, after: 3 }, lines: [] },
      },
    },
  ];
}

describe('two windows that summarize at the same moment', () => {
  it('have the summary that replaces more, also where only the end of the chat is read', async () => {
    const state = stateOf(...[1, 2, 3].flatMap(answered), ...summarized('more', 'a2'), ...answered(4), ...summarized('less', 'a1'));
    const snapshot = await snapshotOf(state, 1, NO_PAUSE);
    assert.ok(snapshot !== null);
    const end = foldAfter(snapshot, []).state;
    assert.deepEqual(branchIds(end), ['u4', 'a4', 's-less']);
    assert.deepEqual([activeCompaction(state)?.id, activeCompaction(end)?.id], ['more', 'more']);
  });
});
