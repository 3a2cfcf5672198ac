import type { LimitReading } from '../model/rateLimit.js';

/** Readings to keep of each limit. The forecast needs two. */
const KEPT = 2;

/** Time in ms for which a limit without a reset time is shown. Providers usually limit the use per minute. */
const TRUE_FOR_MS = 60_000;

export interface LimitNow extends LimitReading {
  /** When nothing is left at the present rate, in epoch milliseconds. Null if unknown, and if the reset is earlier. */
  readonly emptyAt: number | null;
}

/**
 * Joins readings of responses, which can arrive in any order: of each limit, keeps the latest. Drops readings from the
 * future: they were made before the clock was set back.
 */
export function withReadings(kept: readonly LimitReading[], added: readonly LimitReading[], now: number): readonly LimitReading[] {
  const limits = new Map<string, readonly LimitReading[]>();
  for (const reading of [...kept, ...added].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)) {
    const before = (limits.get(keyOf(reading)) ?? []).filter(({ at }) => at < reading.at);
    limits.set(keyOf(reading), [...before, reading].slice(-KEPT));
  }
  return [...limits.values()].flat();
}

/** Returns the latest reading of each limit. Omits limits that have been reset, and readings from the future. */
export function limitsAt(kept: readonly LimitReading[], now: number): readonly LimitNow[] {
  const latest = new Map(kept.map((reading) => [keyOf(reading), reading]));
  return [...latest.values()]
    .filter(({ at, resetsAt }) => at <= now && (resetsAt ?? at + TRUE_FOR_MS) > now)
    .map((reading) => ({ ...reading, emptyAt: emptyAt(kept.find((each) => keyOf(each) === keyOf(reading)) ?? reading, reading) }));
}

/**
 * Predicts when a limit is used up. With the readings `a` and `b` of one period, the rate is
 * `(a.remaining - b.remaining) / (b.at - a.at)`, and the limit is used up at `b.at + b.remaining / rate`. Null without
 * use between the readings, after a reset between them, and if the reset comes first.
 */
function emptyAt(a: LimitReading, b: LimitReading): number | null {
  const used = a.remaining - b.remaining;
  const isOnePeriod = a.limit === b.limit && (a.resetsAt ?? a.at + TRUE_FOR_MS) > b.at;
  if (used <= 0 || b.at <= a.at || !isOnePeriod) {
    return null;
  }
  const at = b.at + (b.remaining * (b.at - a.at)) / used;
  return b.resetsAt !== null && at >= b.resetsAt ? null : Math.round(at);
}

function keyOf({ of, per }: LimitReading): string {
  return `${of} ${per ?? ''}`;
}
