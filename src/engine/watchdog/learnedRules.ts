import { ASKED_LIFETIMES, type AutomaticCache, type CacheRules, type Lifetimes, type MarkedCache } from '../cache/cacheRules.js';
import type { Finding } from './finding.js';
import type { Served } from './served.js';

/** The rules of a cache, corrected by what it was found to do. */
export interface LearnedRules {
  readonly rules: CacheRules;
  /** How long entries at breakpoints live. */
  readonly lifetimes: Lifetimes;
}

/** The steps of a cache with learned rules are unknown: what was read before is read again as it is. */
const LEARNED_STEP = 1;

export function learnedRules(rules: CacheRules, findings: readonly Finding[]): LearnedRules {
  const others = findings.filter(({ isOther }) => isOther);
  const [served] = others.flatMap((finding) => finding.served ?? []);
  if (served === undefined) {
    return { rules, lifetimes: ASKED_LIFETIMES };
  }
  switch (rules.kind) {
    case 'marks':
      return learnedMarks(rules, findings);
    case 'automatic':
      return { rules: learnedAutomatic(served, rules.stepTokens), lifetimes: ASKED_LIFETIMES };
    case 'unknown':
      return { rules: learnedAutomatic(served, LEARNED_STEP), lifetimes: ASKED_LIFETIMES };
    case 'none':
      return { rules, lifetimes: ASKED_LIFETIMES };
  }
}

function learnedAutomatic({ lifetime, minimum }: Served, stepTokens: number): AutomaticCache | { readonly kind: 'none' } {
  return minimum === Infinity
    ? { kind: 'none' }
    : { kind: 'automatic', minimumTokens: Math.ceil(minimum), stepTokens, lifetimeSeconds: lifetime / 1_000 };
}

function learnedMarks(rules: MarkedCache, findings: readonly Finding[]): LearnedRules {
  const lifetimes: Record<keyof Lifetimes, number> = { ...ASKED_LIFETIMES };
  for (const { asked, served, isOther } of findings) {
    if (asked !== null && served !== null && isOther) {
      lifetimes[asked] = served.lifetime;
    }
  }
  const minimum = Math.max(...findings.map(({ served }) => served?.minimum ?? rules.minimumTokens));
  return minimum === Infinity
    ? { rules: { kind: 'none' }, lifetimes }
    : { rules: { ...rules, minimumTokens: Math.ceil(minimum) }, lifetimes };
}
