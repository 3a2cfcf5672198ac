import type { HTTP_FAILURES } from '../../engine/failures/http.js';

/** Request members that Loupe can omit or rename when a server refuses them. */
const SPARE_MEMBERS = [
  'stream_options',
  'max_completion_tokens',
  'max_tokens',
  'prompt_cache_key',
  'diagnostics',
  'reasoning_content',
  'reasoning_details',
  'thinking_blocks',
  'reasoning',
] as const;

/**
 * Patterns for a refused member: "Unsupported parameter: 'max_tokens' is not supported with this model", "Unknown
 * parameter", "Unrecognized request argument supplied", "Extra inputs are not permitted" and `extra_forbidden` (servers
 * that use pydantic), "property 'reasoning_content' is unsupported".
 */
const NOT_TAKEN =
  /\bunsupported|not (?:supported|permitted|allowed)|\bunknown (?:parameter|field|argument)|unrecognized|extra (?:inputs|fields)|extra_forbidden/i;

/**
 * Returns the member that a server refuses. Null for other failures. If the message names two members, the first is
 * refused, and the second usually replaces it.
 */
export function refusedMember(message: string, code: string | null): string | null {
  if (!NOT_TAKEN.test(`${code ?? ''} ${message}`)) {
    return null;
  }
  const found = SPARE_MEMBERS.map((name) => ({ name, at: message.search(new RegExp(`(?<![\\w])${name}(?![\\w])`)) })).filter(
    ({ at }) => at !== -1,
  );
  return found.toSorted((a, b) => a.at - b.at)[0]?.name ?? null;
}

/** Patterns for a request that exceeds the model's context. A group matches the limit when the message contains it. */
const PHRASES: readonly RegExp[] = [
  // "prompt is too long: 210000 tokens > 200000 maximum" (Anthropic; others without the numbers).
  /prompt is too long(?:: [\d,]+ tokens > ([\d,]+))?/i,
  // "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000" (Anthropic).
  /exceeds? context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  // "This model's maximum context length is 128000 tokens" (OpenAI, OpenRouter, vLLM, SGLang, DeepSeek).
  /maximum (?:context|model|prompt) length (?:is|of) ([\d,]+)/i,
  // "Input tokens exceed the configured limit of 272000 tokens" (OpenAI).
  /tokens exceed the configured limit of ([\d,]+)/i,
  // "Your input exceeds the context window of this model" (OpenAI), "context window exceeds limit" (MiniMax).
  /exceeds? (?:the |model )?context window(?: of ([\d,]+))?|context window exceeds/i,
  // "request (4390 tokens) exceeds the available context size (4096 tokens)" (llama.cpp; older without the numbers).
  /exceeds the available context size(?: \(([\d,]+) tokens\))?|context size has been exceeded/i,
  // "the model is loaded with context length of only 4096 tokens" (LM Studio), "context length is only 4096" (vLLM).
  /context length (?:of|is) only ([\d,]+)/i,
  // "greater than the context length (n_keep: 13055>= n_ctx: 4096)" (LM Studio; older without the numbers).
  /greater than the context length(?: \(n_keep: ?\d+ ?>= ?n_ctx: ?(\d+)\))?/i,
  // "Reached context length of 4096 tokens with this model" (LM Studio).
  /reached context length of ([\d,]+)/i,
  // "longer than the model's context length (4096 tokens)" (SGLang).
  /longer than the model's context length(?: \(([\d,]+) tokens\))?/i,
  // "the input length exceeds the context length", "exceeded max context length by 120 tokens" (Ollama).
  /exceeds? the context length|exceeded max context length/i,
  // "too large for model with 32768 maximum context length" (Mistral).
  /too large for model with ([\d,]+) maximum context length/i,
  // "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)" (Gemini).
  /exceeds the maximum number of tokens allowed \(?([\d,]+)/i,
  // "prompt token count of 140000 exceeds the limit of 128000" (GitHub Copilot).
  /token count of [\d,]+ exceeds the limit of ([\d,]+)/i,
  // "Your request exceeded model token limit: 131072 (requested: 150000)" (Moonshot).
  /exceeded model token limit(?:: ([\d,]+))?/i,
  // "Range of input length should be [1, 129024]" (DashScope).
  /range of input length should be \[\d+, ?([\d,]+)\]/i,
  // "Request body too large for gpt-4o model. Max size: 8000 tokens." (GitHub Models).
  /request body too large.*max size: ([\d,]+) tokens/i,
  // "`inputs` tokens + `max_new_tokens` must be <= 4096" (text-generation-inference).
  /`max_new_tokens` must be <= ([\d,]+)/i,
  // Messages without the limit, from Groq, Bedrock and Z.ai. The last pattern matches the messages of proxies, and of a
  // rate limit that is below a single request, where waiting is useless.
  /reduce the length of the messages|input is too long for requested model|prompt exceeds max length/i,
  /request (?:entity )?too large/i,
];

/** Error codes and types that mean that the request is too long. */
const CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'exceed_context_size_error',
  'request_too_large',
  'string_above_max_length',
  'tokens_limit_reached',
]);

/** The context size in an error of llama.cpp, which sends it as a separate member. */
const N_CTX = /"n_ctx" ?: ?(\d+)/;

interface Overflow {
  /** The model's limit in tokens, or null. */
  readonly limit: number | null;
}

/** Returns the limit for a request that is too long for the model. Null for other failures. */
function overflowIn(message: string, code: string | null): Overflow | null {
  const said = PHRASES.map((phrase) => phrase.exec(message)).filter((match) => match !== null);
  if (said.length === 0 && !CODES.has(code ?? '')) {
    return null;
  }
  const told = [...said.map((match) => match[1]), N_CTX.exec(message)?.[1]].find((limit) => limit !== undefined);
  const limit = Number(told?.replaceAll(',', ''));
  return { limit: Number.isSafeInteger(limit) && limit > 0 ? limit : null };
}

/** A failed response. All protocols use this form. */
export interface HttpFailure {
  /** HTTP status of the response. For an error in a successful response, the status that the error names, if any. */
  readonly status: number;
  readonly headers: Headers;
  /** The message that the server sent, or ''. */
  readonly message: string;
  /** The error code or type that the server sent, such as `context_length_exceeded`, or null. */
  readonly code: string | null;
}

type HttpCode = Exclude<keyof typeof HTTP_FAILURES, 'http.toolRefused'>;

/** The meaning of a failure: Loupe's error code, and the model's limit in tokens if known. */
interface FailureMeaning {
  readonly code: HttpCode;
  readonly inputLimit: number | null;
  /** The request member that the server refused, or null. */
  readonly refusedMember: string | null;
}

/**
 * Finds the meaning of a failure. Messages and codes count more than the status, because servers use statuses
 * differently. Exceptions: 401 always means the key, 402 the credit, and 407 a proxy, whose page can contain any text.
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

/** Matches the time of a retry. With it, "exceeded your current quota" is a limit per minute, not missing credit. */
const COME_AGAIN = /retry in|try again in|per minute/i;

function isOutOfCredit({ status, message, code, headers }: HttpFailure): boolean {
  const isSaid = NO_CREDIT.test(message) && !COME_AGAIN.test(message) && retryAfterMs(headers) === null;
  return status === 402 || NO_CREDIT_CODES.has(code ?? '') || isSaid;
}

/** Matches "The model `x` does not exist", "model 'x' not found", "x is not a valid model ID", "No endpoints found". */
const NO_MODEL = /not a valid model|no endpoints found|\bmodel\b.{0,200}(?:does not exist|not found|is not available|has been deprecated)/i;

/** Matches the message of a 404 or 410 about a model: "model: x". The model does not exist then. */
const MODEL = /\bmodel\b|no endpoints found/i;

function isModelGone({ status, message, code }: HttpFailure): boolean {
  const isMissing = status === 404 || status === 410;
  return code === 'model_not_found' || (isMissing ? MODEL.test(message) : status < 429 && NO_MODEL.test(message));
}

/** Matches `content_filter`, `content_policy_violation`, "your input was flagged". */
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
      // A gateway sends 504 and 524. The server of the model has the request and may still work on it.
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

/** The highest valid HTTP status. A server can send any three digits. */
const LAST_STATUS = 599;

function otherCode(status: number): HttpCode {
  if (status >= 500 && status <= LAST_STATUS) {
    return 'http.serverFailed';
  }
  return status < 400 ? 'http.errorInAnswer' : 'http.notAccepted';
}

/** Returns the wait in the server's headers, in ms. Null when missing or invalid. */
export function retryAfterMs(headers: Headers): number | null {
  const exact = duration(headers.get('retry-after-ms'), 1);
  if (exact !== null) {
    return exact;
  }
  const text = headers.get('retry-after');
  return duration(text, 1000) ?? untilDate(text, headers.get('date'));
}

function duration(text: string | null, unitMs: number): number | null {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Math.round(Number(text) * unitMs) : null;
}

/** Returns the ms until a date, from the time of the server's response; if unknown, from this computer's time. */
function untilDate(text: string | null, answered: string | null): number | null {
  const until = dateOf(text);
  return until === null ? null : Math.max(0, until - (dateOf(answered) ?? Date.now()));
}

/** Parses an HTTP date, which starts with the name of a day. `Date.parse` would also accept a number, as a year. */
function dateOf(text: string | null): number | null {
  const time = text !== null && /^\s*[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
