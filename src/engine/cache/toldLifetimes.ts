import type { Usage } from '../model/usage.js';
import type { Ttl } from '../model/cacheRules.js';
import type { CachePart } from '../model/providerCache.js';

/** A lifetime that breakpoints asked for, and the one for which the provider said that it wrote. */
export interface ToldLifetime {
  readonly asked: Ttl;
  readonly told: Ttl;
  /** Tokens that were written for it. */
  readonly written: number;
}

/**
 * What a provider said of the lifetimes of what it wrote for a request; nothing where it wrote nothing, or does not tell lifetimes apart.
 *
 * Where two lifetimes were asked for, one of which was not written for, its part may have been read: that says nothing of it. Where one was
 * asked for and two were written for, a gateway may have added breakpoints of its own: that says nothing, either.
 */
export function toldLifetimes(parts: readonly Pick<CachePart, 'mark'>[], usage: Usage | null): readonly ToldLifetime[] {
  const { fiveMinutes, oneHour } = usage?.cacheCreation ?? { fiveMinutes: 0, oneHour: 0 };
  const asked = new Set(parts.flatMap(({ mark }) => mark ?? []));
  const written = [
    { told: '5m', written: fiveMinutes },
    { told: '1h', written: oneHour },
  ] as const;
  const all = written.filter((each) => each.written > 0);
  const [one, another] = all;
  const [only] = asked;
  if (asked.size === 1 && only !== undefined) {
    return one === undefined || another !== undefined ? [] : [{ asked: only, ...one }];
  }
  return all.filter(({ told }) => asked.has(told)).map((each) => ({ asked: each.told, ...each }));
}

/** The parts of a request with the lifetimes that they were given, where the provider told others than were asked for. */
export function givenParts(parts: readonly CachePart[], given: ReadonlyMap<Ttl, Ttl>): readonly CachePart[] {
  const isAsAsked = [...given].every(([asked, told]) => asked === told);
  return isAsAsked ? parts : parts.map((part) => (part.mark === null ? part : { ...part, mark: given.get(part.mark) ?? part.mark }));
}
