import type { AttemptEnd, AttemptOutcome, AttemptState } from './slices/attempts.js';
import type { ErrorRecord } from '../errors.js';
import type { FailureCode } from '../failures/failures.js';
import type { ErrorKind } from '../failures/entry.js';
import { isAccepted } from '../model/httpExchange.js';
import { NO_FIGURES, type Usage } from '../model/usage.js';

export interface AttemptFacts {
  readonly outcome: AttemptOutcome;
  /** Whether any part of a reply arrived. */
  readonly hasContent: boolean;
  /** The provider's latest usage report. Null without one. */
  readonly reported: Usage | null;
}

export type UsageEstimate = Pick<Usage, 'promptTokens' | 'completionTokens'>;

/**
 * Returns the usage to log for an attempt. It is null (unknown, see `isUnbilled`) if the attempt did not complete,
 * nothing of a reply arrived, and the provider reported no usage. Otherwise the provider may have billed it.
 *
 * An input of 0, or an output of 0 although a reply arrived, cannot be right. Such zeros count as not reported.
 *
 * `estimate` fills in missing figures: the input if no input figure is reported, and the output. It is called only when
 * needed. A partly reported input stays as it is. Cache figures are never estimated, because only the provider knows
 * them.
 */
export async function billedUsage(
  { outcome, hasContent, reported }: AttemptFacts,
  estimate: () => Promise<UsageEstimate>,
): Promise<Usage | null> {
  const figures = reported === null ? NO_FIGURES : dropWrongZeros(reported, hasContent);
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

/** Removes zeros that cannot be right. */
function dropWrongZeros(usage: Usage, hasContent: boolean): Usage {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage;
  const hasInput = [promptTokens, cacheReadInputTokens, cacheCreationInputTokens].some((figure) => (figure?.value ?? 0) > 0);
  const input = hasInput ? usage : { ...usage, promptTokens: null, cacheReadInputTokens: null, cacheCreationInputTokens: null };
  const isUncounted = completionTokens?.value === 0 && (hasContent || !hasInput);
  return isUncounted ? { ...input, completionTokens: null } : input;
}

/**
 * Kinds of failures of requests that were rejected or never arrived. After other failures, such as a timeout or a
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

/** Codes of rejections whose kind also occurs with broken replies. */
const REJECTED: ReadonlySet<FailureCode> = new Set(['http.notAccepted', 'http.notHere']);

/** Returns whether an attempt is not billed: its model is free, or its request was rejected. */
export function isUnbilled({ reply, end, isPretended }: Pick<AttemptState, 'reply' | 'end' | 'isPretended'>): boolean {
  if (isPretended === true) {
    return true;
  }
  const error = end?.error ?? null;
  return end !== null && error !== null && isTurnedDown({ ...end, error, hasContent: reply.length > 0 });
}

export interface FailedRequest extends Pick<AttemptEnd, 'exchange' | 'usage'> {
  readonly error: Pick<ErrorRecord, 'kind' | 'code'>;
  /** Whether any part of a reply arrived. */
  readonly hasContent: boolean;
}

/** Returns whether a failed request is certainly free: it was rejected or never arrived, before any reply or usage. */
export function isTurnedDown({ error, exchange, usage, hasContent }: FailedRequest): boolean {
  return (UNBILLED.has(error.kind) || REJECTED.has(error.code)) && !isAccepted(exchange) && usage === null && !hasContent;
}
