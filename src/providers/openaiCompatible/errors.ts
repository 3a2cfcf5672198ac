import type * as OpenAiSdk from 'openai';
import type { APIError } from 'openai';
import { failure, LoupeError, toLoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, httpError, redact } from '../http/failures.js';
import { count, itemsOf, member, textMember, wordsMember } from '../json.js';

/** What an error is judged by: who was asked, with which key, and whether the user has stopped it. */
export interface RequestContext {
  readonly sdk: Pick<typeof OpenAiSdk, 'APIError' | 'APIConnectionError' | 'OpenAIError'>;
  readonly endpoint: Endpoint;
  readonly key: string | null;
  readonly signal: AbortSignal;
}

/** Of an answer in whose stream the error came. */
const SUCCESS = 200;

/** The error for whatever a request through the SDK threw. */
export function requestError(thrown: unknown, context: RequestContext): LoupeError {
  const { sdk, endpoint, key, signal } = context;
  if (signal.aborted) {
    return failure('request.stopped');
  }
  if (thrown instanceof LoupeError) {
    return thrown;
  }
  if (thrown instanceof sdk.APIConnectionError) {
    return connectionError(thrown, endpoint, key);
  }
  if (thrown instanceof sdk.APIError) {
    return apiError(thrown as APIError, context);
  }
  // No JSON where it should be, or no body. The message may quote the answer, so the error itself is not kept.
  if (thrown instanceof SyntaxError || thrown instanceof sdk.OpenAIError) {
    return failure('provider.unreadable', { label: endpoint.label, words: redact(thrown.message, key) });
  }
  return toLoupeError(thrown);
}

/** An answer that is no success; without a status it is an error that the SDK found in the stream. */
function apiError(error: APIError, context: RequestContext): LoupeError {
  const { status, headers } = error;
  const body: unknown = error.error;
  if (status === undefined) {
    return streamError(body, headers ?? new Headers(), context);
  }
  const message = body === undefined ? bareMessage(error) : errorText(body);
  return httpError({ status, headers: headers ?? new Headers(), message, code: errorCode(body) }, context.endpoint, context.key);
}

/** The error for what a server says in the middle of a stream, after it had answered with success. */
export function streamError(error: unknown, headers: Headers, { endpoint, key }: RequestContext): LoupeError {
  const failure = { status: statusOf(error), headers, message: errorText(error), code: errorCode(error) };
  return httpError(failure, endpoint, key);
}

/**
 * What a chunk, or a whole JSON answer, says of an error; undefined when it says none. The SDK finds only the
 * member `error`; vLLM sends an object whose kind is `error`, OpenRouter an error in the choice.
 */
export function errorIn(chunk: unknown): unknown {
  const error = member(chunk, 'error');
  // Some servers have the member in every chunk, and say in these ways that there is no error.
  if (error !== undefined && error !== null && error !== '' && error !== false) {
    return error;
  }
  if (member(chunk, 'object') === 'error') {
    return chunk;
  }
  const choice = itemsOf(member(chunk, 'choices')).find((item) => textMember(item, 'finish_reason') === 'error');
  return choice === undefined ? undefined : (member(choice, 'error') ?? { message: 'The model failed while it answered.' });
}

/** OpenRouter, vLLM and llama.cpp say in `code` which status the error would have had as an answer of its own. */
function statusOf(error: unknown): number {
  const code = member(error, 'code');
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : SUCCESS;
}

function errorCode(error: unknown): string | null {
  return wordsMember(error, 'code') ?? wordsMember(error, 'type');
}

/** The server's own words: `message`, or what else servers call it; all of the error when it has none of them. */
function errorText(error: unknown): string {
  if (typeof error === 'string') {
    return error;
  }
  // What the provider behind a gateway said, which says more than the gateway's "Provider returned error".
  const raw = wordsMember(member(error, 'metadata'), 'raw');
  // The size of llama.cpp's window stands beside its message.
  const window = count(member(error, 'n_ctx'));
  const message = wordsMember(error, 'message') ?? wordsMember(error, 'detail');
  const words = [message, raw, window === null ? null : JSON.stringify({ n_ctx: window })].filter((text) => text !== null);
  if (words.length > 0) {
    return words.join(': ');
  }
  return error === undefined || error === null ? '' : JSON.stringify(error);
}

/** The SDK's message for a body that is no JSON, without the status that it puts in front. */
function bareMessage({ message, status }: APIError): string {
  const text = message.startsWith(`${String(status)} `) ? message.slice(`${String(status)} `.length) : message;
  return text === 'status code (no body)' ? '' : text;
}
