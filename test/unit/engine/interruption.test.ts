import assert from 'node:assert/strict';
import { breakdownEvents, interruptionEvents } from '../../../src/engine/run/interruption.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { failure } from '../../../src/engine/errors.js';
import { LOST_RESULT } from '../../../src/engine/request/adapt/adaptedParts.js';
import { columns } from '../../support/columns.js';
import { attemptEnded, attemptStarted, logged, runStarted, stateOf, toolStarted } from '../../support/engine/events.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';

const newId = (): string => 'new';

const round: readonly NewEvent[] = [
  logged('r', user('u', 'Read both')),
  runStarted('r', 'u'),
  attemptStarted('r', 'at'),
  attemptEnded('r', 'at', 'complete'),
  logged('r', { ...assistant('a'), parts: [call('c1', {}), call('c2', {})], attemptId: 'at' }),
];

function toolEnded(callId: string): NewEvent {
  return { type: 'tool-ended', runId: 'r', callId, result: result(callId, text(`of ${callId}`)), durationMs: 3, edits: [] };
}

describe('a run whose window was killed between the end of a tool and the results of its round', () => {
  const killed = [...round, toolStarted('r', 'c1'), toolEnded('c1'), toolStarted('r', 'c2')];

  it('keeps the result that was there, and says that the other one is lost', () => {
    const drafts = interruptionEvents(stateOf(...killed), 'r', newId);
    const sent = transcript(stateOf(...killed, ...drafts)).messages.at(-1);
    assert.ok(sent?.role === 'tool-results');
    assert.deepEqual(columns(sent.parts, 'callId', 'synthetic', 'content'), [
      ['c1', false, [text('of c1')]],
      ['c2', true, [text(LOST_RESULT)]],
    ]);
    assert.equal(drafts.at(-1)?.type, 'run-interrupted');
  });

  it('keeps it also when a defect broke the run off', () => {
    const defect = failure('internal.defect', { text: 'A defect' });
    const types = breakdownEvents(stateOf(...killed), 'r', { defect, newId }).map(({ type }) => type);
    assert.deepEqual(types, ['message', 'run-failed']);
  });
});

describe('a run whose window was killed at another time', () => {
  const types = (...events: readonly NewEvent[]): string[] => interruptionEvents(stateOf(...events), 'r', newId).map(({ type }) => type);

  it('gets no results before the first tool has ended', () => {
    assert.deepEqual(types(...round, toolStarted('r', 'c1')), ['run-interrupted']);
  });

  it('gets no results when those of its round are a message already', () => {
    const told = logged('r', results('t', result('c1', text('1')), result('c2', text('2'))));
    assert.deepEqual(types(...round, toolStarted('r', 'c1'), toolEnded('c1'), told), ['run-interrupted']);
  });

  it('has its open attempt ended', () => {
    assert.deepEqual(types(...round.slice(0, 3)), ['attempt-ended', 'run-interrupted']);
  });
});
