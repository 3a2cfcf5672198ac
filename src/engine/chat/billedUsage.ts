import type { AttemptEnd, AttemptOutcome, AttemptState } from './slices/attempts.js';
import type { ErrorRecord } from '../errors.js';
import type { FailureCode } from '../failures/catalogue.js';
import type { ErrorKind } from '../failures/entry.js';
import { isAccepted } from '../model/exchange.js';
import type { Usage } from '../model/usage.js';

/** What the usage of an ended attempt depends on. */
export interface AttemptFacts {
  readonly outcome: AttemptOutcome;
  /** Whether anything of a reply arrived. */
  readonly hasContent: boolean;
  /** The provider's latest usage report; null without one. */
  readonly reported: Usage | null;
}

/** The usage figures that Loupe can count itself. */
export type UsageEstimate = Pick<Usage, 'promptTokens' | 'completionTokens'>;

/**
 * The usage to log for an attempt. The provider may have billed the attempt if it completed, part of a reply arrived, or
 * the provider reported usage. Otherwise the usage is unknown: null (see `isUnbilled`).
 *
 * A provider that reports an input of 0, or an output of 0 for a reply of which something came, has not counted: a
 * prompt was sent, and the reply is there. Such zeros count as not reported.
 *
 * `estimate` fills in what the provider did not report: the input when no input figure is reported, and the output. It is
 * called only when needed. A partly reported input stays as it is, and cache figures are never estimated: only the
 * provider knows how much its cache served.
 */
export async function billedUsage(
  { outcome, hasContent, reported }: AttemptFacts,
  estimate: () => Promise<UsageEstimate>,
): Promise<Usage | null> {
  const figures = reported === null ? NO_FIGURES : counted(reported, hasContent);
  const hasInput = figures.promptTokens !== null || figures.cacheReadInputTokens !== null || figures.cacheCreationInputTokens !== null;
  const isReported = hasInput || figures.completionTokens !== null;
  if (outcome !== 'complete' && !hasContent && !isReported) {
    return null;
  }
  if (hasInput && figures.completionTokens !== null) {
    return figures;
  }
  const { promptTokens, completionTokens } = await estimate();
  return {
    ...figures,
    promptTokens: hasInput ? figures.promptTokens : promptTokens,
    completionTokens: figures.completionTokens ?? completionTokens,
  };
}

/** The figures without zeros for what was sent, and for what came. */
function counted(usage: Usage, hasContent: boolean): Usage {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage;
  const hasInput = [promptTokens, cacheReadInputTokens, cacheCreationInputTokens].some((figure) => (figure?.value ?? 0) > 0);
  const input = hasInput ? usage : { ...usage, promptTokens: null, cacheReadInputTokens: null, cacheCreationInputTokens: null };
  const isUncounted = completionTokens?.value === 0 && (hasContent || !hasInput);
  return isUncounted ? { ...input, completionTokens: null } : input;
}

/**
 * Kinds of failures of requests that were rejected or never arrived. After other failures, such as a time-out or a
 * broken stream, it is unknown what the provider has already done.
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

/** Rejections whose kind is also that of broken replies. */
const REJECTED: ReadonlySet<FailureCode> = new Set(['http.notAccepted', 'http.notHere']);

/** Whether an attempt is not billed: its model costs nothing, or its request was turned down. */
export function isUnbilled({ reply, end, isPretended }: Pick<AttemptState, 'reply' | 'end' | 'isPretended'>): boolean {
  if (isPretended === true) {
    return true;
  }
  const error = end?.error ?? null;
  return end !== null && error !== null && isTurnedDown({ ...end, error, hasContent: reply.length > 0 });
}

/** How a request failed. */
export interface FailedRequest extends Pick<AttemptEnd, 'exchange' | 'usage'> {
  readonly error: Pick<ErrorRecord, 'kind' | 'code'>;
  /** Whether anything of a reply arrived. */
  readonly hasContent: boolean;
}

/** Whether it is certain that a failed request is not billed: it was rejected, or never arrived, before any reply or usage. */
export function isTurnedDown({ error, exchange, usage, hasContent }: FailedRequest): boolean {
  return (UNBILLED.has(error.kind) || REJECTED.has(error.code)) && !isAccepted(exchange) && usage === null && !hasContent;
}

const NO_FIGURES: Usage = {
  promptTokens: null,
  cacheReadInputTokens: null,
  cacheCreationInputTokens: null,
  cacheCreation: null,
  completionTokens: null,
};
