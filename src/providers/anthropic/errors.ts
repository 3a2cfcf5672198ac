import { failure, LoupeError, toLoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { errorsIn } from '../http/errorsIn.js';
import { connectionError, httpError } from '../http/failures.js';
import { redactedCause } from '../http/redact.js';
import { isObject } from '../../engine/json.js';
import { member, textMember } from '../json.js';

/** What a request was made with. */
export interface RequestContext {
  readonly endpoint: Endpoint;
  /** The key that was sent; null for none. */
  readonly key: string | null;
  readonly signal: AbortSignal;
}

/** Status of an answer that began as a success and then told an error in its stream. */
const STATUS_OF_STREAM = 200;

/** The SDK's names for a request that got no answer. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['APIConnectionError', 'APIConnectionTimeoutError']);

/** The error for whatever was thrown while a request was made or its answer read. The key occurs in nothing of it. */
export function requestError(thrown: unknown, context: RequestContext): LoupeError {
  const { endpoint, key, signal } = context;
  if (signal.aborted) {
    return failure('request.stopped');
  }
  // One of ours that the SDK has wrapped, however deep.
  const own = errorsIn(thrown).find((error) => error instanceof LoupeError);
  if (own !== undefined) {
    return own;
  }
  if (thrown instanceof SyntaxError) {
    // The parser quotes the answer, and that may hold the key.
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

/** What an `APIError` of the SDK tells of the server's answer; null for an error of another kind. */
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

/** The server's words where they are not in the API's own form: those of a gateway, or a page of a proxy. */
function ownWords(error: Error, body: unknown): string {
  if (typeof body === 'string') {
    return body;
  }
  if (isObject(body)) {
    return textMember(body, 'message') ?? textMember(body, 'error') ?? '';
  }
  // Of a body that is no JSON the SDK keeps only the text, behind the status.
  return error.message.endsWith('status code (no body)') ? '' : error.message.replace(/^\d{3} /, '');
}
