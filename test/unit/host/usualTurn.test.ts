import assert from 'node:assert/strict';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { unusualPrice } from '../../../src/host/request/forecast/usualTurn.js';
import { attemptEnded, attemptStarted, logged, runStarted, stateOf } from '../../support/engine/events.js';
import { user } from '../../support/engine/messages.js';

function chatOf(atLeast: boolean): ChatState {
  return stateOf(
    ...[1, 2, 3].flatMap((turn) => {
      const [runId, attemptId, question] = [`r${String(turn)}`, `at${String(turn)}`, user(`u${String(turn)}`, 'Hello')];
      const ended = { ...attemptEnded(runId, attemptId, 'complete'), cost: { usd: 0.001, atLeast } };
      return [
        ...[logged(runId, question), runStarted(runId, question.id), attemptStarted(runId, attemptId), ended],
        { type: 'run-committed', runId } as const,
      ];
    }),
  );
}

describe('what a turn of a chat usually costs', () => {
  it('is not known of turns that may have cost more', () => {
    assert.equal(unusualPrice(0.02, chatOf(false))?.median, 0.001);
    assert.equal(unusualPrice(0.02, chatOf(true)), null);
  });
});
