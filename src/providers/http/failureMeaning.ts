import type { HTTP_FAILURES } from '../../engine/failures/http.js';
import { overflowIn } from './overflow.js';
import { refusedMember } from './refusedMember.js';
import { retryAfterMs } from './retryAfter.js';

/** A failed response in a form common to all protocols. */
export interface HttpFailure {
  /** Status of the response. 200 for an error event inside a stream. */
  readonly status: number;
  readonly headers: Headers;
  /** The server's own message, or ''. */
  readonly message: string;
  /** The server's own error code or type, such as `context_length_exceeded`, or null. */
  readonly code: string | null;
}

type HttpCode = keyof typeof HTTP_FAILURES;

/** The meaning of a failure: its code, and the model's limit in tokens if known. */
interface FailureMeaning {
  readonly code: HttpCode;
  readonly inputLimit: number | null;
  /** The request member that the server refused, or null. */
  readonly refusedMember: string | null;
}

/**
 * Finds the meaning of a failure. Messages and codes count more than the status, because servers use statuses
 * differently. But 401 always means the key, and 407 a proxy, whose page may contain any text.
 */
export function meaningOf(failure: HttpFailure, key: string | null): FailureMeaning {
  const { status, message, code } = failure;
  if (status === 401) {
    return meaning(key === null ? 'http.keyMissing' : 'http.keyRefused');
  }
  if (status === 407) {
    return meaning('http.proxyLogin');
  }
  if (isOutOfCredit(failure)) {
    return meaning('http.noCredit');
  }
  const overflow = overflowIn(message, code);
  if (overflow !== null || status === 413) {
    return { code: 'http.tooLong', inputLimit: overflow?.limit ?? null, refusedMember: null };
  }
  if (isModelGone(failure)) {
    return meaning('http.modelGone');
  }
  return memberRefused(failure) ?? meaning(isContentRefused(failure) ? 'http.contentRefused' : statusCode(status, key));
}

function memberRefused({ status, message, code }: HttpFailure): FailureMeaning | null {
  const member = status === 400 || status === 422 ? refusedMember(message, code) : null;
  return member === null ? null : { code: 'http.memberRefused', inputLimit: null, refusedMember: member };
}

function meaning(code: HttpCode): FailureMeaning {
  return { code, inputLimit: null, refusedMember: null };
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

/** "You exceeded your current quota" also means limits per minute. Such messages say when to try again. */
const COME_AGAIN = /retry in|try again in|per minute/i;

function isOutOfCredit({ status, message, code, headers }: HttpFailure): boolean {
  const isSaid = NO_CREDIT.test(message) && !COME_AGAIN.test(message) && retryAfterMs(headers) === null;
  return status === 402 || NO_CREDIT_CODES.has(code ?? '') || isSaid;
}

/** "The model `x` does not exist", "model 'x' not found", "x is not a valid model ID", "No endpoints found for x". */
const NO_MODEL = /not a valid model|no endpoints found|\bmodel\b.{0,200}(?:does not exist|not found|is not available|has been deprecated)/i;

/** A 404 that mentions a model means the model: "model: x". */
const MODEL = /\bmodel\b|no endpoints found/i;

function isModelGone({ status, message, code }: HttpFailure): boolean {
  const isMissing = status === 404 || status === 410;
  return code === 'model_not_found' || (isMissing ? MODEL.test(message) : status < 429 && NO_MODEL.test(message));
}

/** `content_filter`, `content_policy_violation`, "your input was flagged". */
const CONTENT_REFUSED = /content[_ ](?:management )?(?:filter|policy)|input was flagged/i;

function isContentRefused({ status, message, code }: HttpFailure): boolean {
  return status < 429 && CONTENT_REFUSED.test(`${code ?? ''} ${message}`);
}

function statusCode(status: number, key: string | null): HttpCode {
  switch (status) {
    case 403:
      return key === null ? 'http.notAllowedWithoutKey' : 'http.notAllowed';
    case 404:
    case 405:
    case 410:
      return 'http.notHere';
    case 408:
    case 504:
    case 524:
      // 504 and 524 come from a gateway. The server behind it has the request and may still work on it.
      return 'http.gaveUp';
    case 429:
      return 'http.rateLimit';
    case 503:
    case 529:
      return 'http.overloaded';
    default:
      return otherCode(status);
  }
}

/** The highest status of HTTP. A server may send any three digits. */
const LAST_STATUS = 599;

function otherCode(status: number): HttpCode {
  if (status >= 500 && status <= LAST_STATUS) {
    return 'http.serverFailed';
  }
  return status < 400 ? 'http.errorInAnswer' : 'http.notAccepted';
}
