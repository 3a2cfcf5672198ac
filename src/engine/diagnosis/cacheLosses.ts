import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import { modelKey } from '../model/modelRef.js';
import { readTokens, sizeOfInput, wasAnswered } from '../request/pastRequest.js';
import { COUNT_ERROR, reportedCoverage } from './sentAgain.js';

/**
 * Returns the requests that may have sent content again although it was in the cache, by the reported figures alone.
 * Only these need a diagnosis, which takes some milliseconds. Skips requests without a reported cache read.
 */
export function possibleLosses({ attempts }: Pick<ChatState, 'attempts'>): readonly AttemptState[] {
  const before = new Map<string, AttemptState>();
  let last: AttemptState | undefined;
  const found: AttemptState[] = [];
  for (const attempt of attempts.values()) {
    const key = modelKey(attempt.model);
    const compared = before.get(key) ?? last;
    if (compared !== undefined && isComparable(attempt) && mayHaveLost(attempt, compared)) {
      found.push(attempt);
    }
    if (attempt.purpose === 'reply' && wasAnswered(attempt)) {
      before.set(key, attempt);
      last = attempt;
    }
  }
  return found;
}

function isComparable({ purpose, end, inheritedFrom }: AttemptState): boolean {
  const isReported = end?.usage?.cacheReadInputTokens?.source === 'reported';
  return isReported && inheritedFrom === null && (purpose === 'reply' || purpose === 'summary');
}

/** Whether a request read less than the request before had left in the cache, beyond the error of token counts. */
function mayHaveLost(attempt: AttemptState, before: AttemptState): boolean {
  const input = sizeOfInput(attempt);
  const left = reportedCoverage(before) ?? sizeOfInput(before);
  return Math.min(left, input) - (readTokens(attempt) ?? 0) > input * COUNT_ERROR;
}
