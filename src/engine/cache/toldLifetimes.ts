import type { Usage } from '../model/usage.js';
import type { Ttl } from '../model/cacheRules.js';
import type { Breakpoint } from '../model/block.js';
import type { PartColumns } from '../model/providerCache.js';

/** A lifetime that breakpoints asked for, and the lifetime that the provider reported for the writes. */
export interface ReportedLifetime {
  readonly asked: Ttl;
  readonly actual: Ttl;
  /** Tokens written with the reported lifetime. */
  readonly written: number;
}

/**
 * Returns the reported lifetimes of the cache writes of a request. Empty when the provider wrote nothing, or does not
 * report lifetimes. Two cases prove nothing and are ignored:
 *
 * - Two lifetimes were requested, and one was written. The part with the other lifetime may have been read.
 * - One lifetime was requested, and two were written. A gateway may have added breakpoints.
 */
export function reportedLifetimes(breakpoints: readonly Breakpoint[], usage: Usage | null): readonly ReportedLifetime[] {
  const { fiveMinutes, oneHour } = usage?.cacheCreation ?? { fiveMinutes: 0, oneHour: 0 };
  const asked = new Set(breakpoints.map(({ ttl }) => ttl));
  const written = [
    { actual: '5m', written: fiveMinutes },
    { actual: '1h', written: oneHour },
  ] as const;
  const all = written.filter((each) => each.written > 0);
  const [one, another] = all;
  const [only] = asked;
  if (asked.size === 1 && only !== undefined) {
    return one === undefined || another !== undefined ? [] : [{ asked: only, ...one }];
  }
  return all.filter(({ actual }) => asked.has(actual)).map((each) => ({ asked: each.actual, ...each }));
}

export function withReportedLifetimes(parts: PartColumns, given: ReadonlyMap<Ttl, Ttl>): PartColumns {
  const isAsAsked = [...given].every(([asked, told]) => asked === told);
  return isAsAsked ? parts : { ...parts, breakpoints: parts.breakpoints.map(({ at, ttl }) => ({ at, ttl: given.get(ttl) ?? ttl })) };
}
