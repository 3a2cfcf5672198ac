import type { Cost } from '../../../src/engine/model/price.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { attemptEnded, attemptStarted, logged, runStarted } from './events.js';
import { assistant, user } from './messages.js';

export function cost(usd: number | null): Cost | null {
  return usd === null ? null : { usd, atLeast: false };
}

/** Exchange `n`: a run with one attempt of this usage and cost, and its reply. */
export function replied(n: number, used: Usage | null, usd: number | null): NewEvent[] {
  const [runId, attemptId] = [`r${n}`, `at${n}`];
  return [
    logged(runId, user(`u${n}`, 'Q')),
    runStarted(runId, `u${n}`),
    attemptStarted(runId, attemptId),
    { ...attemptEnded(runId, attemptId, 'complete'), usage: used, cost: cost(usd) },
    logged(runId, { ...assistant(`a${n}`, 'A'), attemptId }),
  ];
}

export function committed(n: number): NewEvent {
  return { type: 'run-committed', runId: `r${n}` };
}
