import { attemptsOfRuns, isCounted, sumReplyUsage } from '../../../engine/accounting/runCost.js';
import { figureValue, inputTokens } from '../../../engine/model/usage.js';
import type { AttemptPurpose, AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { OwnRequest, OwnUsage } from '../../../protocol/panel/noteEntries.js';
import type { ModelName } from '../../../protocol/panel/view.js';

export type NameOfModel = (attempt: AttemptState) => ModelName;

/** Returns the requests of runs that Loupe started for titles and summaries, with their total usage. */
export function ownRequests(runIds: readonly string[], state: ChatState, nameOf: NameOfModel): OwnUsage {
  const attempts = attemptsOfRuns(runIds, state);
  const counted = attempts.filter(isCounted);
  const { usd: cost, isAtLeast, isPretended } = sumReplyUsage(counted);
  return {
    cost,
    isAtLeast,
    isPretended,
    paidRequests: counted.length,
    requests: attempts.flatMap((attempt) => ownRequest(attempt, state, nameOf)),
  };
}

function ownRequest(attempt: AttemptState, state: ChatState, nameOf: NameOfModel): OwnRequest[] {
  const { id: attemptId, purpose, runId } = attempt;
  return isOwn(purpose) ? [{ attemptId, purpose, asked: askedIn(runId, state), model: nameOf(attempt).label, ...figuresOf(attempt) }] : [];
}

function isOwn(purpose: AttemptPurpose): purpose is OwnRequest['purpose'] {
  return purpose === 'title' || purpose === 'topic' || purpose === 'summary';
}

type RequestFigureView = Pick<OwnRequest, 'inputTokens' | 'outputTokens' | 'cost' | 'isAtLeast' | 'isPretended'>;

function figuresOf({ end, isPretended }: AttemptState): RequestFigureView {
  const usage = end?.usage ?? null;
  return {
    inputTokens: usage === null ? null : inputTokens(usage),
    outputTokens: usage === null ? null : figureValue(usage.completionTokens),
    cost: end?.cost?.usd ?? null,
    isAtLeast: end?.cost?.atLeast === true,
    isPretended: isPretended === true,
  };
}

/** Returns the instructions that Loupe sent to the model in a run for a title or summary. */
function askedIn(runId: string | null, { timeline }: ChatState): string | null {
  for (const item of timeline) {
    if (item.kind === 'message' && item.runId === runId) {
      const { message } = item;
      if (message.role === 'system-title' || message.role === 'system-summary') {
        return message.text;
      }
    }
  }
  return null;
}
