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
  /** The provider's latest usage report, or null if the provider reported no usage. */
  readonly reported: Usage | null;
}

export type UsageEstimate = Pick<Usage, 'promptTokens' | 'completionTokens'>;

/**
 * Returns the usage to log for an attempt. The result is null (unknown, see `isUnbilled`) if three conditions are true:
 * the attempt did not complete, nothing of a reply arrived, and the provider reported no usage. Otherwise the provider
 * may have billed the attempt.
 *
 * An input of 0 cannot be right, and neither can an output of 0 if a reply arrived. Such zeros are treated as not
 * reported.
 *
 * `estimate` is called only if the output or the whole input is missing. A partly reported input is not changed. Cache
 * figures are never estimated, because only the provider can report them.
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

function dropWrongZeros(usage: Usage, hasContent: boolean): Usage {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage;
  const hasInput = [promptTokens, cacheReadInputTokens, cacheCreationInputTokens].some((figure) => (figure?.value ?? 0) > 0);
  const input = hasInput ? usage : { ...usage, promptTokens: null, cacheReadInputTokens: null, cacheCreationInputTokens: null };
  const isUncounted = completionTokens?.value === 0 && (hasContent || !hasInput);
  return isUncounted ? { ...input, completionTokens: null } : input;
}

/**
 * Failures after which the provider bills nothing, because the request was rejected or never arrived. After other
 * failures, such as a timeout or a broken stream, the provider may have billed the request.
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

/** Further failures that providers do not bill. Listed by code, because some billed failures have the same kind. */
const REJECTED: ReadonlySet<FailureCode> = new Set(['http.notAccepted', 'http.toolRefused', 'http.notHere']);

/** Returns whether an attempt is not billed: the model is free, or the request was rejected or never arrived. */
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

/** Returns whether a failed request was certainly not billed: rejected or never arrived, without any reply or usage. */
export function isTurnedDown({ error, exchange, usage, hasContent }: FailedRequest): boolean {
  return (UNBILLED.has(error.kind) || REJECTED.has(error.code)) && !isAccepted(exchange) && usage === null && !hasContent;
}
