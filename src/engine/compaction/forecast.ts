import { plannedBy } from './policies/policies.js';
import type { History } from './history.js';
import { gain, planAt, type Plan } from './plan.js';
import type { CompactionSettings } from './settings.js';
import { triggerPlace, type Load, type TriggerPlace } from './policies/triggers.js';

/** Loupe forecasts a summary once the conversation has reached this share of its trigger. */
const NEAR = 0.5;

export interface ForecastInput {
  readonly settings: CompactionSettings;
  /** Whether Loupe starts or offers a summary at the trigger. See `isWatched` in `settings.ts`. */
  readonly isWatched: boolean;
}

/** Returns the size at which Loupe starts or offers the next summary; null when only the user starts summaries. */
export function forecastPlace({ settings, isWatched }: ForecastInput, load: Load): TriggerPlace | null {
  return isWatched ? triggerPlace(settings, load) : null;
}

/** Whether the conversation has reached half of its trigger, or half of the budget if there is no trigger. */
export function isNear(place: TriggerPlace | null, { budget, fixedTokens, historyTokens: history }: Load): boolean {
  const at = place?.at ?? budget;
  const now = place === null ? fixedTokens + history : place.at - place.left;
  return at > 0 && now >= at * NEAR;
}

/** Plans a summary now: by policy, or of everything if only the user starts summaries. Null if it frees no tokens. */
export function forecastPlan({ settings, isWatched }: ForecastInput, history: History): Exclude<Plan, { readonly case: 'none' }> | null {
  const { length } = history.messages;
  const isByPolicy = isWatched && length > 0;
  const plan = isByPolicy ? plannedBy(history, settings, { messageId: null, confidence: 0 }) : planAt(history, length, 'summarize');
  return plan.case === 'none' || gain(plan) <= 0 ? null : plan;
}
