import type { ErrorKind } from '../../engine/errors.js';
import type { HttpFailure } from './failures.js';
import { overflowIn } from './overflow.js';
import { retryAfterMs } from './retryAfter.js';

/** What a failure means: its kind, and what happened and what to do, in words that follow the provider's name. */
export interface Meaning {
  readonly kind: ErrorKind;
  readonly words: string;
  /** The model's limit in tokens, where the server told it. */
  readonly inputLimit: number | null;
}

/**
 * What a failure means. Words and codes come before the status, since servers do not agree on statuses; only a 401 is
 * always about the key.
 */
export function meaningOf(failure: HttpFailure, key: string | null): Meaning {
  if (failure.status === 401) {
    return key === null
      ? meaning('auth', 'wants a key, and none is stored for it. Enter one with the command "Loupe: Set API Key".')
      : meaning('auth', 'did not accept the key. Enter a valid one with the command "Loupe: Set API Key".');
  }
  return (
    creditMeaning(failure) ??
    overflowMeaning(failure) ??
    modelMeaning(failure) ??
    contentMeaning(failure) ??
    statusMeaning(failure.status, key)
  );
}

function meaning(kind: ErrorKind, words: string): Meaning {
  return { kind, words, inputLimit: null };
}

const NO_CREDIT_CODES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_credits',
  'billing_error',
  'billing_hard_limit_reached',
  'billing_not_active',
]);

const NO_CREDIT =
  /credit balance is too low|insufficient (?:credits|balance|funds|quota)|more credits|exceeded your current quota|billing hard limit/i;

/** "You exceeded your current quota" is said of limits per minute as well: those tell when to come again. */
const COME_AGAIN = /retry in|try again in|per minute/i;

function creditMeaning({ status, message, code, headers }: HttpFailure): Meaning | null {
  const isSaid = NO_CREDIT.test(message) && !COME_AGAIN.test(message) && retryAfterMs(headers) === null;
  return status === 402 || NO_CREDIT_CODES.has(code ?? '') || isSaid
    ? meaning('refused', 'says that the account has no credit left. Add credit there, or choose another provider.')
    : null;
}

function overflowMeaning({ status, message, code }: HttpFailure): Meaning | null {
  const overflow = overflowIn(message, code);
  if (overflow === null && status !== 413) {
    return null;
  }
  const inputLimit = overflow?.limit ?? null;
  const size = inputLimit === null ? '' : ` (${inputLimit.toLocaleString('en')} tokens)`;
  const words = `says that the request is longer than the model can take${size}. Summarize the conversation, or take context out.`;
  return { kind: 'contextOverflow', words, inputLimit };
}

/** "The model `x` does not exist", "model 'x' not found", "x is not a valid model ID", "No endpoints found for x". */
const NO_MODEL = /not a valid model|no endpoints found|\bmodel\b.{0,200}(?:does not exist|not found|is not available|has been deprecated)/i;

/** A 404 that speaks of a model at all is about that: "model: x". */
const MODEL = /\bmodel\b|no endpoints found/i;

function modelMeaning({ status, message, code }: HttpFailure): Meaning | null {
  const isMissing = status === 404 || status === 410;
  const isSaid = isMissing ? MODEL.test(message) : status < 429 && NO_MODEL.test(message);
  return code === 'model_not_found' || isSaid
    ? meaning('modelGone', 'does not offer this model, or not with this key. Choose another model.')
    : null;
}

/** `content_filter`, `content_policy_violation`, "your input was flagged". */
const CONTENT_REFUSED = /content[_ ](?:management )?(?:filter|policy)|input was flagged/i;

function contentMeaning({ status, message, code }: HttpFailure): Meaning | null {
  return status < 429 && CONTENT_REFUSED.test(`${code ?? ''} ${message}`)
    ? meaning('refused', `refused this request because of its content. ${OWN_WORDS}`)
    : null;
}

/** What it said is the cause of the error, which the chat shows as its details. */
const OWN_WORDS = 'Its own words are in the details.';

function statusMeaning(status: number, key: string | null): Meaning {
  switch (status) {
    case 403:
      return meaning('auth', `does not allow this request ${key === null ? 'without a key' : 'with this key'}. ${OWN_WORDS}`);
    case 404:
    case 405:
    case 410:
      return meaning('protocol', `takes no such requests at this address (HTTP ${String(status)}). Check the base URL.`);
    case 408:
      return meaning('timeout', 'gave up waiting for the request (HTTP 408).');
    case 429:
      return meaning('rateLimit', 'takes no more requests for the moment: a rate limit is reached.');
    case 503:
    case 529:
      return meaning('overloaded', `is overloaded or not available at the moment (HTTP ${String(status)}).`);
    default:
      return otherMeaning(status);
  }
}

function otherMeaning(status: number): Meaning {
  if (status >= 500) {
    return meaning('overloaded', `had a failure of its own (HTTP ${String(status)}).`);
  }
  return status < 400
    ? meaning('protocol', `reported an error in its answer. ${OWN_WORDS}`)
    : meaning('protocol', `did not accept the request (HTTP ${String(status)}). ${OWN_WORDS}`);
}
