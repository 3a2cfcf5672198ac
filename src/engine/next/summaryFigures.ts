import { answeredId } from '../chat/branch.js';
import { splitAtCheckpoint } from '../chat/checkpoint.js';
import { excludedParts, withoutExcluded } from '../chat/excludedParts.js';
import type { SentMessage } from '../chat/message/message.js';
import type { ChatState } from '../chat/state.js';
import { checkpointTokens } from '../compaction/checkpointTexts.js';
import { forecastPlace, forecastPlan, isNear } from '../compaction/forecast.js';
import { historyOf, type History } from '../compaction/history.js';
import type { MessageScale, MessageTokens } from '../compaction/neededAgainReader.js';
import type { Plan } from '../compaction/plan.js';
import { triggerTokens, type Load, type TriggerPlace } from '../compaction/policies/triggers.js';
import { openMessages } from '../compaction/range.js';
import { compactionSettings, isWatched, type CompactionSettings } from '../compaction/settings.js';
import type { Prices } from '../model/price.js';
import { lastReplyAttempt } from '../request/base.js';
import type { ComposedRequest } from './compose.js';
import { loadOf } from './room.js';

/** What decides whether a chat needs a summary, and of what. */
export interface NextRequestFigures {
  readonly state: ChatState;
  readonly settings: CompactionSettings;
  readonly load: Load;
  readonly history: History;
  /** Tokens of the current summary, or null without a summary. */
  readonly earlierSummary: number | null;
  /** The prices of the model, or null when unknown. */
  readonly prices: Prices | null;
}

/** A request below this share of the trigger needs no summary, even if a file has changed or a count is inexact. */
const CERTAIN = 0.8;

/** Returns whether the last request and its reply are far too small to need a summary. Fast: reads no message. */
export function isFarFromFull(state: ChatState, budget: number): boolean {
  const last = lastReplyAttempt(state);
  const reply = last?.end?.usage?.completionTokens?.value ?? 0;
  const settings = compactionSettings(state.config);
  const least = triggerTokens(settings, { budget, fixedTokens: 0 });
  return settings.policy !== 'message-count' && last !== null && last.manifest.size.tokens + reply < least * CERTAIN;
}

/** Returns the size of the next request and the messages after the last summary. Rejects as `weigh` does. */
export async function nextRequestFigures(state: ChatState, composed: ComposedRequest, scale: MessageScale): Promise<NextRequestFigures> {
  const messages = openMessages(state);
  const weighed = await scale.weigh(state, messages);
  const { checkpoint } = splitAtCheckpoint(state);
  return {
    ...{ state, settings: compactionSettings(state.config) },
    load: { ...loadOf(composed), messages: messages.length },
    history: historyIn(state, messages, weighed),
    earlierSummary: checkpoint === null ? null : checkpointTokens(checkpoint.text, weighed.counter),
    prices: composed.model.prices,
  };
}

/**
 * Returns when the next summary will be needed and what it would replace, if `composed` is the next request. Fast when
 * the trigger is far away, because no message is read then. Rejects as `weigh` does.
 */
export async function summaryForecast(
  state: ChatState,
  composed: ComposedRequest,
  scale: MessageScale,
): Promise<{ readonly trigger: TriggerPlace | null; readonly plan: Plan | null }> {
  const of = { settings: compactionSettings(state.config), isWatched: isWatched(state.config) };
  if (composed.isPartial) {
    return { trigger: forecastPlace(of, loadOf(composed)), plan: null };
  }
  const messages = openMessages(state);
  const load = { ...loadOf(composed), messages: messages.length };
  const trigger = forecastPlace(of, load);
  const plan = isNear(trigger, load) ? forecastPlan(of, historyIn(state, messages, await scale.weigh(state, messages))) : null;
  return { trigger, plan };
}

function historyIn(state: ChatState, messages: readonly SentMessage[], { tokens }: Pick<MessageTokens, 'tokens'>): History {
  const sent = withoutExcluded(messages, excludedParts({ pinned: [], messages }, state));
  const answered = answeredId(state);
  return historyOf(
    sent.map((message, index) => ({ message, tokens: tokens[index] ?? 0 })),
    new Set([...state.pinned, ...(answered === null ? [] : [answered])]),
  );
}
