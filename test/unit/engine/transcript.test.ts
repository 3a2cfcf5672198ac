import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { ledgerTotals } from '../../../src/engine/chat/ledger.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { errorRecord, logged, runStarted, stateOf, toolStarted } from '../../support/engine/events.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';

const error = errorRecord('Broke.');

function exchange(n: number, ending: NewEvent | null, ...between: NewEvent[]): NewEvent[] {
  const [runId, id] = [`r${n}`, `u${n}`];
  const end = ending === null ? [] : [{ ...ending, runId } as NewEvent];
  return [logged(runId, user(id, 'Q')), runStarted(runId, id), ...between, logged(runId, assistant(`a${n}`, 'A')), ...end];
}

const committed: NewEvent = { type: 'run-committed', runId: '' };
const stopped: NewEvent = { type: 'run-stopped', runId: '' };
const failed: NewEvent = { type: 'run-failed', runId: '', error };
const rolledBack: NewEvent = { type: 'run-rolled-back', runId: '', error };
const interrupted: NewEvent = { type: 'run-interrupted', runId: '' };

function sent(...drafts: NewEvent[]): string {
  const { messages, unsent } = transcript(stateOf(...drafts));
  return told(
    messages.map(({ id }) => id),
    [...unsent],
  );
}

function told(sentIds: readonly string[], unsentIds: readonly string[]): string {
  return `sent: ${sentIds.join(' ')}; unsent: ${unsentIds.join(' ')}`;
}

describe('what of a chat is sent', () => {
  const tool = toolStarted('r1', 'c');
  const cases: readonly [string, NewEvent[], readonly string[], readonly string[]][] = [
    ['a committed run: all of it', exchange(1, committed), ['u1', 'a1'], []],
    ['a stopped run: what had arrived', exchange(1, stopped), ['u1', 'a1'], []],
    ['a running run: what it has said so far', exchange(1, null), ['u1', 'a1'], []],
    ['a rolled back run: nothing', exchange(1, rolledBack), [], ['u1']],
    ['a run that failed after a tool ran: its complete rounds', exchange(1, failed, tool), ['u1', 'a1'], []],
    ['a run that failed because no call could run: its complete rounds', exchange(1, failed), ['u1', 'a1'], []],
    ['a run interrupted after a tool ran: its complete rounds', exchange(1, interrupted, tool), ['u1', 'a1'], []],
    ['a run interrupted without a tool: nothing', exchange(1, interrupted), [], ['u1']],
  ];

  for (const [title, drafts, messages, unsent] of cases) {
    it(`of ${title}`, () => {
      assert.equal(sent(...drafts), told(messages, unsent));
    });

    it(`of ${title}, whatever stands around it`, () => {
      const around = sent(...exchange(8, committed), ...drafts, ...exchange(9, committed));
      assert.equal(around, told(['u8', 'a8', ...messages, 'u9', 'a9'], unsent));
    });
  }

  it('a message whose run has not started yet is not sent', () => {
    assert.equal(sent(logged('r1', user('u1', 'Q'))), told([], ['u1']));
  });

  it('messages without a run, copied by a fork, always are', () => {
    assert.equal(sent(logged(null, user('u1', 'Q')), logged(null, assistant('a1', 'A'))), told(['u1', 'a1'], []));
  });

  it('tool results are sent with their run', () => {
    const round = [logged('r1', assistant('b1', call('c', {}))), logged('r1', results('t1', result('c', text('x'))))];
    assert.equal(sent(...exchange(1, committed, ...round)), told(['u1', 'b1', 't1', 'a1'], []));
    assert.equal(sent(...exchange(1, rolledBack, ...round)), told([], ['u1']));
  });

  it('notes about the chat never are', () => {
    const totals = ledgerTotals(stateOf());
    const notes: NewEvent[] = [
      logged(null, { role: 'accounting', id: 'n1', reason: 'edited', discardedMessages: 1, totals, rewindId: 'w' }),
      logged(null, { role: 'system-title', id: 'n3', text: 'Give a title' }),
      logged(null, { role: 'title', id: 'n4', text: 'Title' }),
      logged(null, { role: 'system-summary', id: 'n5', text: 'Sum up' }),
      logged(null, { role: 'summary', id: 'n6', text: 'Summary' }),
    ];
    assert.equal(sent(...exchange(1, committed), ...notes), told(['u1', 'a1'], []));
  });

  it('a retried message is sent once its new run counts', () => {
    const retry = [{ type: 'rewound', rewindId: 'w', to: 'u1', reason: 'retried' } as const, runStarted('r2', 'u1')];
    assert.equal(sent(...exchange(1, rolledBack), ...retry, logged('r2', assistant('a2', 'B'))), told(['u1', 'a2'], []));
  });

  it('a continued run goes on from the rounds that it completed', () => {
    const broken = exchange(1, failed, toolStarted('r1', 'c'));
    const more = [runStarted('r2', 'u1'), logged('r2', assistant('a2', 'B'))];
    assert.equal(sent(...broken, ...more), told(['u1', 'a1', 'a2'], []));
    assert.equal(sent(...broken, ...more, { type: 'run-rolled-back', runId: 'r2', error }), told(['u1', 'a1'], []));
  });

  it('a message that failed again after it failed is unsent once', () => {
    const retry = [{ type: 'rewound', rewindId: 'w', to: 'u1', reason: 'retried' } as const, runStarted('r2', 'u1')];
    assert.equal(sent(...exchange(1, rolledBack), ...retry, { type: 'run-rolled-back', runId: 'r2', error }), told([], ['u1']));
  });
});
