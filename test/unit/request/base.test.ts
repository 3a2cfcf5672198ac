import assert from 'node:assert/strict';
import type { AttemptPurpose } from '../../../src/engine/chat/slices/attempts.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { lastReplyAttempt, manifestBase } from '../../../src/engine/request/base.js';
import { attemptEnded, attemptStarted, EMPTY_MANIFEST, errorRecord, logged, runStarted, stateOf } from '../../support/engine/events.js';
import { assistant, user } from '../../support/engine/messages.js';

function request(runId: string, attemptId: string, purpose: AttemptPurpose, outcome: 'complete' | 'failed'): NewEvent[] {
  return [{ ...attemptStarted(runId, attemptId), purpose }, attemptEnded(runId, attemptId, outcome)];
}

function answered(runId: string, ...requests: readonly NewEvent[][]): NewEvent[] {
  const question = user(`u-${runId}`, 'Why?');
  return [logged(runId, question), runStarted(runId, question.id), ...requests.flat()];
}

function reply(runId: string, attemptId: string): NewEvent {
  return logged(runId, { ...assistant(`a-${attemptId}`, 'So'), attemptId });
}

function lastId(state: ChatState): string | null {
  return lastReplyAttempt(state)?.id ?? null;
}

describe('the last request of a reply', () => {
  const first = [
    ...answered('r1', request('r1', '1', 'reply', 'complete')),
    reply('r1', '1'),
    { type: 'run-committed', runId: 'r1' },
  ] as const;

  it('is none before the first', () => {
    assert.equal(lastId(stateOf()), null);
    assert.equal(manifestBase(stateOf(...answered('r1'))), null);
  });

  it('is that of the latest run, also one that failed', () => {
    assert.equal(lastId(stateOf(...first)), '1');
    const failed = answered('r2', request('r2', '2', 'reply', 'failed'), request('r2', '3', 'reply', 'failed'));
    assert.equal(lastId(stateOf(...first, ...failed)), '3');
    assert.equal(lastId(stateOf(...first, ...failed, { type: 'run-rolled-back', runId: 'r2', error: errorRecord('No.') })), '3');
  });

  it('is the one behind the last message when the run made another since', () => {
    const more = answered('r2', request('r2', '2', 'reply', 'complete'));
    assert.equal(lastId(stateOf(...first, ...more, reply('r2', '2'), ...request('r2', '3', 'reply', 'failed'))), '3');
  });

  it('is never one for a title or a summary', () => {
    for (const purpose of ['title', 'summary', 'topic'] as const) {
      const housekeeping = answered('r2', request('r2', '2', purpose, 'complete'));
      assert.equal(lastId(stateOf(...first, ...housekeeping)), '1', purpose);
      assert.equal(lastId(stateOf(...first, ...request('r1', '2', purpose, 'complete'))), '1', purpose);
    }
  });

  it('is of the branch: what an edit or a retry set aside does not count', () => {
    const second = [...answered('r2', request('r2', '2', 'reply', 'complete')), reply('r2', '2')];
    const back = (to: string, reason: 'edited' | 'retried'): NewEvent => ({ type: 'rewound', rewindId: 'w', to, reason });
    assert.equal(lastId(stateOf(...first, ...second, back('a-1', 'edited'))), '1');
    assert.equal(lastId(stateOf(...first, ...second, back('u-r2', 'retried'))), '1');
    const retried: NewEvent = { type: 'run-started', runId: 'r3', userMessageId: 'u-r2', cause: 'retry' };
    assert.equal(lastId(stateOf(...first, ...second, back('u-r2', 'retried'), retried)), '1');
    assert.equal(lastId(stateOf(...first, ...second, back('a-1', 'edited'), { type: 'restored', rewindId: 'w', undoId: 'x' })), '2');
  });

  it('is that of a reply which a fork has copied without its run', () => {
    const copied = [...request('r1', '1', 'reply', 'complete'), logged(null, { ...assistant('a', 'So'), attemptId: '1' })];
    assert.equal(lastId(stateOf(...answered('r1'), ...copied)), '1');
  });
});

describe('what a record is written against', () => {
  const started = (attemptId: string, base: string | null, ordinal: number): NewEvent => {
    const manifest = { ...EMPTY_MANIFEST, base, ordinal };
    return { ...attemptStarted('r1', attemptId), manifest };
  };

  it('is that request, with the length of its chain and its number', () => {
    const base = manifestBase(stateOf(...answered('r1', [started('1', null, 7), started('2', '1', 8)])));
    assert.deepEqual([base?.attemptId, base?.ordinal, base?.depth], ['2', 8, 2]);
    assert.deepEqual(base?.content, { blocks: [], context: [], forgotten: [] });
  });

  it('keeps counting, and has nothing to build on, where a record of the chain is on a damaged line', () => {
    const base = manifestBase(stateOf(...answered('r1', [started('2', 'lost', 8)])));
    assert.deepEqual([base?.attemptId, base?.ordinal, base?.content], ['2', 8, null]);
  });
});
