import assert from 'node:assert/strict';
import {
  canContinue,
  countMessagesAfter,
  countMessagesMissingFrom,
  findMessage,
  findUserMessage,
  isUnsentAndOvertaken,
  lastRun,
  messageBefore,
} from '../../../src/engine/chat/branch.js';
import type { RewindReason } from '../../../src/engine/chat/message/message.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { compacted as compactedIn } from '../../../src/engine/chat/checkpoint.js';
import { snapshotOf } from '../../../src/engine/chat/snapshot.js';
import { errorRecord, logged, runStarted, stamp, stateOf, toolStarted } from '../../support/engine/events.js';
import { foldAfter } from '../../support/engine/folds.js';
import { NO_PAUSE } from '../../support/engine/ports.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';

const error = errorRecord('Broke.');

const chat: NewEvent[] = [
  logged('r1', user('u1', 'Q')),
  runStarted('r1', 'u1'),
  logged('r1', assistant('a1', call('c', {}))),
  logged('r1', results('t1', result('c', text('x')))),
  logged('r1', assistant('a2', 'A')),
  { type: 'run-committed', runId: 'r1' },
  logged('r2', user('u2', 'Q')),
  runStarted('r2', 'u2'),
  logged('r2', assistant('a3', 'A')),
  { type: 'run-committed', runId: 'r2' },
];

function compacted(to: string): NewEvent {
  const form = { policy: 'manual', case: 'summarize', tokens: { before: 9, after: 3 }, lines: [] } as const;
  return { type: 'compacted', runId: null, compaction: { id: 'c', from: 'u1', to, summaryId: 's', ...form } };
}

function answered(number: number): NewEvent[] {
  const [runId, id] = [`r${String(number)}`, `u${String(number)}`];
  const reply = logged(runId, assistant(`a${String(number + 1)}`, 'A'));
  return [logged(runId, user(id, 'Q')), runStarted(runId, id), reply, { type: 'run-committed', runId }];
}

describe('the branch on show', () => {
  it('finds a message by its id', () => {
    const state = stateOf(...chat);
    assert.equal(findMessage(state, 't1')?.role, 'tool-results');
    assert.equal(findMessage(state, 'nobody'), null);
  });

  it('finds user messages only, and says so when there is none', () => {
    const state = stateOf(...chat);
    assert.equal(findUserMessage(state, 'u2').id, 'u2');
    for (const id of ['a1', 'nobody']) {
      assert.throws(() => findUserMessage(state, id), { kind: 'invalidInput' });
    }
  });

  it('does not find what was set aside', () => {
    const state = stateOf(...chat, { type: 'rewound', rewindId: 'w', to: 'a2', reason: 'edited' });
    assert.equal(findMessage(state, 'u2'), null);
  });

  it('knows what stands before a message', () => {
    const state = stateOf(...chat);
    assert.equal(messageBefore(state, findUserMessage(state, 'u2')), 'a2');
    assert.equal(messageBefore(state, findUserMessage(state, 'u1')), null);
  });

  it('counts what a rewind would set aside: what people and models said', () => {
    const state = stateOf(...chat);
    const counts = [null, 'u1', 'a2', 'a3'].map((to) => countMessagesAfter(state, to));
    assert.deepEqual(counts, [5, 4, 2, 0]);
  });

  it('counts what a return would set aside', () => {
    const left = stateOf(...chat).timeline;
    const state = stateOf(...chat, { type: 'rewound', rewindId: 'w', to: 'a2', reason: 'edited' }, logged(null, user('u3', 'Q')));
    assert.equal(countMessagesMissingFrom(state, left), 1);
    assert.equal(countMessagesMissingFrom(state, []), 4);
  });

  it('knows its last run', () => {
    assert.equal(lastRun(stateOf(...chat))?.id, 'r2');
    assert.equal(lastRun(stateOf()), undefined);
  });

  it('needs the whole log where a step back leaves its end without the reply that figures and the next request go by', async () => {
    const snapshot = (await snapshotOf(stateOf(...chat), 1, NO_PAUSE)) ?? assert.fail('The chat rests.');
    const back = (to: string, reason: RewindReason): boolean =>
      foldAfter(snapshot, stamp([{ type: 'rewound', rewindId: 'w', to, reason }], 'w')).needsWholeLog;
    const ids = snapshot.slices.branch.flatMap((item) => (item.kind === 'message' ? [item.message.id] : []));
    assert.deepEqual(ids, ['u2', 'a3']);
    assert.equal(back('u2', 'retried'), true);
    assert.equal(back('a3', 'edited'), false);
  });

  it('that is brought back keeps a summary that was made meanwhile of what both have in common, and not one of what is set aside then', () => {
    const edited: NewEvent[] = [...chat, { type: 'rewound', rewindId: 'w', to: 'a2', reason: 'edited' }, ...answered(3)];
    const summary = logged(null, { role: 'summary', id: 's', text: 'What was said.' });
    const after = (to: string): ChatState => stateOf(...edited, summary, compacted(to), { type: 'restored', rewindId: 'w', undoId: 'v' });
    assert.equal(compactedIn(after('a2')).checkpoint?.text, 'What was said.');
    assert.equal(compactedIn(after('u3')).checkpoint, null);
    assert.equal(findMessage(after('a2'), 'u2')?.id, 'u2');
  });

  it('needs the whole log where a summary of what is not in its end is put or edited: another window set that aside before', async () => {
    const aside: NewEvent[] = [{ type: 'rewound', rewindId: 'w', to: 'a2', reason: 'edited' }, ...answered(3), ...answered(4)];
    const summary = logged(null, { role: 'summary', id: 's', text: 'What was said.' });
    const needsWhole = async (before: readonly NewEvent[], after: readonly NewEvent[]): Promise<boolean> => {
      const snapshot = (await snapshotOf(stateOf(...before), 1, NO_PAUSE)) ?? assert.fail('The chat rests.');
      return foldAfter(snapshot, stamp(after, 'other')).needsWholeLog;
    };
    assert.equal(await needsWhole([...chat, ...aside], [summary, compacted('u2')]), true);
    const edited = [compacted('u2'), summary];
    assert.equal(await needsWhole([...chat, summary, compacted('u2'), ...aside], edited), true);
    assert.equal(await needsWhole([...chat, summary, compacted('u2'), ...aside], edited.toReversed()), true);
    // A restore point between the two lines of an edit.
    assert.equal(await needsWhole([...chat, summary, compacted('u2'), ...aside, compacted('u2')], [summary]), true);
    assert.equal(await needsWhole(chat, [summary, compacted('u2')]), false);
    assert.equal(await needsWhole([...chat, summary, compacted('a2')], [compacted('a2'), summary]), false);
  });

  it('can continue a run that broke off or was stopped after a tool ran, or because none of its calls could', () => {
    const open = [logged('r', user('u', 'Q')), runStarted('r', 'u')];
    const tool = toolStarted('r', 'c');
    const run = (...drafts: NewEvent[]): boolean => canContinue(lastRun(stateOf(...open, ...drafts))!);
    assert.equal(run(tool, { type: 'run-failed', runId: 'r', error }), true);
    assert.equal(run({ type: 'run-failed', runId: 'r', error }), true);
    assert.equal(run(tool, { type: 'run-interrupted', runId: 'r' }), true);
    assert.equal(run({ type: 'run-interrupted', runId: 'r' }), false);
    assert.equal(run(tool), false);
    assert.equal(run(tool, { type: 'run-stopped', runId: 'r' }), true);
    assert.equal(run({ type: 'run-stopped', runId: 'r' }), false);
    assert.equal(run(tool, { type: 'run-committed', runId: 'r' }), false);
  });

  it('knows an unsent message that later ones have overtaken', () => {
    const failed = [logged('r0', user('u0', 'Q')), runStarted('r0', 'u0'), { type: 'run-rolled-back', runId: 'r0', error } as const];
    assert.equal(isUnsentAndOvertaken(stateOf(...failed), 'u0'), false);
    assert.equal(isUnsentAndOvertaken(stateOf(...failed, ...chat), 'u0'), true);
    assert.equal(isUnsentAndOvertaken(stateOf(...failed, ...chat), 'u1'), false);
  });
});
