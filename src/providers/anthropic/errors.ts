import { failure, LoupeError, toLoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { errorsIn } from '../http/errorsIn.js';
import { connectionError } from '../http/connectionError.js';
import { httpError } from '../http/httpError.js';
import { redactedCause } from '../http/redact.js';
import { isObject } from '../../engine/json.js';
import { member, textMember } from '../json.js';

/** What an error of a request is judged by. */
export interface RequestContext {
  readonly endpoint: Endpoint;
  /** The key that was sent; null for none. */
  readonly key: string | null;
  readonly signal: AbortSignal;
}

/** The status of an answer that reports an error inside its stream. */
const STATUS_OF_STREAM = 200;

/** The SDK's names for a request that got no answer. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['APIConnectionError', 'APIConnectionTimeoutError']);

/** The error for anything thrown during a request or while its answer is read. It never contains the key. */
export function requestError(thrown: unknown, context: RequestContext): LoupeError {
  const { endpoint, key, signal } = context;
  if (signal.aborted) {
    return failure('request.stopped');
  }
  // A `LoupeError` that the SDK has wrapped, at any depth.
  const own = errorsIn(thrown).find((error) => error instanceof LoupeError);
  if (own !== undefined) {
    return own;
  }
  if (thrown instanceof SyntaxError) {
    // The parser quotes the answer, which may contain the key.
    const cause = redactedCause(thrown, key);
    return failure('provider.notJson', endpoint, { cause });
  }
  if (!(thrown instanceof Error)) {
    return toLoupeError(thrown);
  }
  if (CONNECTION_ERRORS.has(thrown.name)) {
    return connectionError(thrown.cause ?? thrown, endpoint, key);
  }
  const answer = answerOf(thrown);
  return answer === null ? toLoupeError(thrown) : httpError(answer, endpoint, key);
}

/** The server's answer in an `APIError` of the SDK; null for other errors. */
function answerOf(error: Error): Parameters<typeof httpError>[0] | null {
  if (!('headers' in error && error.headers instanceof Headers && 'status' in error && 'error' in error)) {
    return null;
  }
  const { headers, status, error: body } = error;
  const detail = member(body, 'error');
  return {
    // The SDK gives an error event inside a stream no status.
    status: typeof status === 'number' ? status : STATUS_OF_STREAM,
    headers,
    message: textMember(detail, 'message') ?? ownWords(error, body),
    code: textMember(detail, 'type'),
  };
}

/** The server's words in another form than the API's: those of a gateway, or a proxy's page. */
function ownWords(error: Error, body: unknown): string {
  if (typeof body === 'string') {
    return body;
  }
  if (isObject(body)) {
    return textMember(body, 'message') ?? textMember(body, 'error') ?? '';
  }
  // For a body that is not JSON, the SDK keeps only its text, after the status.
  return error.message.endsWith('status code (no body)') ? '' : error.message.replace(/^\d{3} /, '');
}
