import { ENDS, pausesLonger } from './pauses.js';

/*
 * What to do with a cache that is about to expire while the user is away. This is the ski-rental problem: each
 * keep-warm request rents the cache for one more lifetime, and a cold start buys the prompt again. If the distribution
 * of pauses is known, the plan with the lowest expected cost is the best one (Karlin, Manasse, McGeoch, Owicki:
 * Competitive randomized algorithms for nonuniform problems, Algorithmica 11, 1994). A plan never costs more than the
 * cold start that it avoids, so it never costs more than twice the best plan, even if the pauses are unlike all before.
 */

/** Time in ms before the expiry at which Loupe sends a keep-warm request: the reply must begin before the expiry. */
export const KEEP_WARM_MARGIN_MS = 30_000;

/** Maximum time in ms that an offer keeps a cache warm. */
const MOST_TIME_MS = 24 * 3_600_000;

/** Smaller savings and extra costs, in US dollars, are not worth the user's attention. */
export const LEAST_SAVING = 0.01;

/**
 * Minimum expected saving per US dollar that an offer costs. The expected costs come from few pauses, and the last
 * pause of a chat never ends. With this minimum, offers save on average in all kinds of simulated chats (`bench away`).
 */
const LEAST_RETURN = 0.5;

/** The price of a summary that is written now. */
export interface SummaryCosts {
  /** The cost of writing it, in US dollars. */
  readonly write: number;
  /** The cost of the next request with it, in US dollars, as if nothing of that request were cached. */
  readonly next: number;
}

/** A chat whose cache is about to expire. Costs are in US dollars, times in ms. */
export interface IdleChat {
  /** The pauses of the chat before. */
  readonly pauses: readonly number[];
  /** Time since the last request of the last turn. */
  readonly idle: number;
  /** Time until the cache expires. */
  readonly left: number;
  /** How long a use keeps the cache, as observed. */
  readonly lifetime: number;
  /** The cost of the next request before and after the expiry. */
  readonly warm: number;
  readonly cold: number;
  /** What each request after the expiry saves, because Loupe then rebuilds the prompt without outdated content. */
  readonly rebuildSaves: number;
  /** The number of requests with a reply so far. */
  readonly replies: number;
  /** The cost of one keep-warm request. Null if the model cannot be kept warm. */
  readonly keepWarm: number | null;
  /** Null if there is nothing to summarize. */
  readonly summary: SummaryCosts | null;
}

/** A way to spend money now, which is expected to save more. */
export type IdleOffer =
  | { readonly kind: 'summarize'; readonly cost: number; readonly expected: number }
  /** Up to `requests` keep-warm requests, which keep the cache for `time` from now. `cost` is that of all of them. */
  | { readonly kind: 'keepWarm'; readonly cost: number; readonly expected: number; readonly requests: number; readonly time: number };

export interface IdleOffers {
  /** The expected extra cost if the user does nothing, in US dollars. Extra costs are those above a warm request. */
  readonly leave: number;
  /** The offers that pay, cheapest expected cost first. Empty if none does. */
  readonly offers: readonly IdleOffer[];
}

export function idleOffers(chat: IdleChat): IdleOffers {
  const { idle, left, warm, cold } = chat;
  const rebuilt = rebuiltSaving(chat);
  const loss = cold - warm - rebuilt;
  const leave = loss * chanceOfReturnAfter(chat, idle + left);
  const offers = [summaryOffer(chat, rebuilt), keepWarmOffer(chat, loss)]
    .filter((offer) => offer !== null)
    .filter(({ expected, cost }) => leave - expected >= leastSavingOf(cost))
    .sort((a, b) => a.expected - b.expected);
  return { leave, offers };
}

/** The chance that a pause of `idle` lasts longer than `ms`. */
function chanceOfAbsence({ pauses, idle }: IdleChat, ms: number): number {
  return pausesLonger(pauses, ms) / pausesLonger(pauses, idle);
}

/** The chance that the user returns after `ms`. */
function chanceOfReturnAfter({ pauses, idle }: IdleChat, ms: number): number {
  return (pausesLonger(pauses, ms) - ENDS) / pausesLonger(pauses, idle);
}

/** A rebuilt prompt saves in each request until the next expiry. */
function rebuiltSaving(chat: IdleChat): number {
  return chat.rebuildSaves * requestsUntilExpiry(chat);
}

/** Returns how many requests with a reply there are between two expiries: on average, as many as so far. */
function requestsUntilExpiry({ replies, pauses, lifetime }: Pick<IdleChat, 'replies' | 'pauses' | 'lifetime'>): number {
  return replies / (1 + pauses.filter((pause) => pause > lifetime).length);
}

/** A chat whose cache has expired, and whose user is back. Costs are in US dollars. */
export interface ExpiredChatCosts extends Pick<IdleChat, 'replies' | 'pauses' | 'lifetime'> {
  /** The cost of the next request. */
  readonly cold: number;
  readonly summary: SummaryCosts;
  /** How much less each request after the next one costs with the summary. */
  readonly saving: number;
}

/**
 * Whether a summary before the next request pays until the next expiry, by as much as an offer before the expiry. This
 * also counts what later requests save, because a summary that reads nothing from the cache seldom pays with one.
 */
export function paysAfterExpiry({ cold, summary, saving, ...chat }: ExpiredChatCosts): boolean {
  const later = Math.max(0, requestsUntilExpiry(chat) - 1);
  return cold - summary.next + later * saving - summary.write >= leastSavingOf(summary.write);
}

function leastSavingOf(cost: number): number {
  return Math.max(LEAST_SAVING, LEAST_RETURN * cost);
}

/** A summary rebuilds the prompt, too. Its other savings in later requests do not count, because it loses details. */
function summaryOffer(chat: IdleChat, rebuilt: number): IdleOffer | null {
  const { summary, warm, idle } = chat;
  return summary === null
    ? null
    : {
        kind: 'summarize',
        cost: summary.write,
        expected: summary.write + (summary.next - warm - rebuilt) * chanceOfReturnAfter(chat, idle),
      };
}

/** Returns the number of keep-warm requests with the lowest expected cost. */
function keepWarmOffer(chat: IdleChat, loss: number): IdleOffer | null {
  const { idle, left, lifetime, keepWarm } = chat;
  const step = lifetime - KEEP_WARM_MARGIN_MS;
  if (keepWarm === null || keepWarm <= 0 || step <= 0) {
    return null;
  }
  let best: IdleOffer | null = null;
  let sent = 0;
  for (let requests = 1; requests * keepWarm <= loss && left + requests * step <= MOST_TIME_MS; requests += 1) {
    sent += keepWarm * chanceOfAbsence(chat, idle + left - KEEP_WARM_MARGIN_MS + (requests - 1) * step);
    const time = left + requests * step;
    const expected = sent + loss * chanceOfReturnAfter(chat, idle + time);
    if (best === null || expected < best.expected) {
      best = { kind: 'keepWarm', cost: requests * keepWarm, expected, requests, time };
    }
  }
  return best;
}
