import { plannedBy } from './policies/policies.js';
import type { History } from './history.js';
import { gain, planAt, type Plan } from './plan.js';
import type { CompactionSettings } from './settings.js';
import { triggerPlace, type Load, type TriggerPlace } from './policies/triggers.js';

/** Before half of the way to the trigger, a summary is so far off that nobody asks what it would do. */
const NEAR = 0.5;

/** How a summary is forecast: whether one becomes due, and what the chat's policy is. */
export interface ForecastOf {
  readonly settings: CompactionSettings;
  /** See `isWatched`. */
  readonly isWatched: boolean;
}

/** Where the next summary is due; null when it only happens by hand. */
export function forecastPlace({ settings, isWatched }: ForecastOf, load: Load): TriggerPlace | null {
  return isWatched ? triggerPlace(settings, load) : null;
}

/** Whether at least half of the way to the trigger is done: of its messages, or of all tokens up to it; without one, of B. */
export function isNear(place: TriggerPlace | null, { budget, fixedTokens, historyTokens: history }: Load): boolean {
  const at = place?.at ?? budget;
  const now = place === null ? fixedTokens + history : place.at - place.left;
  return at > 0 && now >= at * NEAR;
}

/** What a summary would do now: what the policy wants, and by hand all of it. Null when it would free nothing. */
export function forecastPlan({ settings, isWatched }: ForecastOf, history: History): Exclude<Plan, { readonly case: 'none' }> | null {
  const { length } = history.messages;
  const isByPolicy = isWatched && length > 0;
  const plan = isByPolicy ? plannedBy(history, settings, { messageId: null, confidence: 0 }) : planAt(history, length, 'summarize');
  return plan.case === 'none' || gain(plan) <= 0 ? null : plan;
}
