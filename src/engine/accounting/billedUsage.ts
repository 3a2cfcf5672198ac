import type { AttemptOutcome, AttemptState } from '../chat/slices/attempts.js';
import type { ErrorKind } from '../failures/entry.js';
import type { Usage } from './usage.js';

/** What is known of an attempt when it has ended. */
export interface AttemptFacts {
  readonly outcome: AttemptOutcome;
  /** Whether anything of a reply arrived. */
  readonly hasContent: boolean;
  /** The provider's latest report; null when it made none. */
  readonly reported: Usage | null;
}

/** The figures of an attempt that can be counted here. */
export type UsageEstimate = Pick<Usage, 'promptTokens' | 'completionTokens'>;

/**
 * The usage an attempt is booked with. A provider can have billed an attempt that was completed, that brought
 * something of a reply, or that it reported on; of any other one the usage is unknown (null), or none (`isUnbilled`).
 * What such a provider did not report is filled in from `estimate`, made only then: the input when no input figure at
 * all is reported, and the output when that is missing. An input of which only one part is reported stays as it is, and cache figures
 * are never estimated: how much a cache served, only the provider knows.
 */
export function billedUsage({ outcome, hasContent, reported }: AttemptFacts, estimate: () => UsageEstimate): Usage | null {
  if (outcome !== 'complete' && !hasContent && reported === null) {
    return null;
  }
  const figures = reported ?? NO_FIGURES;
  const hasInput = figures.promptTokens !== null || figures.cacheReadInputTokens !== null || figures.cacheCreationInputTokens !== null;
  if (hasInput && figures.completionTokens !== null) {
    return figures;
  }
  const { promptTokens, completionTokens } = estimate();
  return {
    ...figures,
    promptTokens: hasInput ? figures.promptTokens : promptTokens,
    completionTokens: figures.completionTokens ?? completionTokens,
  };
}

/**
 * Failures of requests that were turned down, or that reached nobody. Others, such as a time-out or an answer that
 * broke off, tell nothing about what the provider has done by then.
 */
const UNBILLED: ReadonlySet<ErrorKind> = new Set([
  'auth',
  'rateLimit',
  'overloaded',
  'network',
  'modelGone',
  'contextOverflow',
  'refused',
  'invalidInput',
]);

/** Whether an attempt is one that no provider bills: its request was turned down before anything came of it. */
export function isUnbilled({ reply, end }: Pick<AttemptState, 'reply' | 'end'>): boolean {
  const kind = end?.error?.kind;
  return kind !== undefined && UNBILLED.has(kind) && end?.usage === null && reply.length === 0;
}

const NO_FIGURES: Usage = {
  promptTokens: null,
  cacheReadInputTokens: null,
  cacheCreationInputTokens: null,
  cacheCreation: null,
  completionTokens: null,
};
