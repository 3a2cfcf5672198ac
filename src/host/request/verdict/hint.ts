import { CHAT_SETTINGS } from '../../../engine/chat/settings/config.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { Cause } from '../../../engine/diagnosis/cause.js';
import { price } from '../../../protocol/numbers.js';
import type { ReplayedCache } from './replays.js';

/** Minimum saving for a hint, as a share of the request's cost. */
const WORTH_TELLING = 0.1;

export interface Hint {
  readonly text: string;
  /** The layout to use instead, or null when the hint suggests a longer cache lifetime. */
  readonly layout: string | null;
}

/** Returns the largest saving by another layout or lifetime. Null if too small, or if the chat would cost more. */
export function hintOf(
  attempt: AttemptState,
  cause: Cause,
  { own, others }: { readonly own: ReplayedCache; readonly others: readonly ReplayedCache[] },
): Hint | null {
  const usd = attempt.end?.cost?.usd ?? null;
  const cheaper = others.filter((each) => each.cost < own.cost && each.sum <= own.sum).toSorted((a, b) => a.cost - b.cost);
  const [best] = cheaper;
  if (usd === null || attempt.isPretended === true || best === undefined || own.cost - best.cost < usd * WORTH_TELLING) {
    return null;
  }
  const figures = `${price(usd - own.cost + best.cost)} instead of ${price(usd)}.`;
  if (best.lifetime !== null) {
    return { text: `A cache lifetime of ${LIFETIMES[best.lifetime]} would have cost less: ${figures}`, layout: null };
  }
  const isAdded = best.layout === 'adaptive' && cause.kind === 'item' && cause.change === 'changed';
  const effect = isAdded ? 'put this change at the end of the request' : 'cost less';
  return { text: `The prompt layout "${String(LABELS.get(best.layout))}" would have ${effect}: ${figures}`, layout: best.layout };
}

const LABELS = new Map<string, string>(CHAT_SETTINGS.layout.options.map(({ value, label }) => [value, label]));
const LIFETIMES = { '5m': '5 min', '30m': '30 min', '1h': '1 h' } as const;
