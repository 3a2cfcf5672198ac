import type * as OpenAiSdk from 'openai';
import type { APIError } from 'openai';
import { failure, LoupeError, toLoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError } from '../http/connectionError.js';
import { httpError } from '../http/httpError.js';
import { redact } from '../http/redact.js';
import { count, itemsOf, member, textMember, wordsMember } from '../json.js';

/** What an error is judged by: the endpoint, the key, and whether the user has stopped the request. */
export interface RequestContext {
  readonly sdk: Pick<typeof OpenAiSdk, 'APIError' | 'APIConnectionError' | 'OpenAIError'>;
  readonly endpoint: Endpoint;
  readonly key: string | null;
  readonly signal: AbortSignal;
}

/** The status of an answer that reports an error inside its stream. */
const SUCCESS = 200;

/** The error for anything that a request through the SDK throws. */
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
  // Invalid JSON, or no body. The message may quote the answer, so the error is not kept as the cause.
  if (thrown instanceof SyntaxError || thrown instanceof sdk.OpenAIError) {
    return failure('provider.unreadable', { label: endpoint.label, words: redact(thrown.message, key) });
  }
  return toLoupeError(thrown);
}

/** The error of an answer that is not a success. Without a status, the SDK found the error in the stream. */
function apiError(error: APIError, context: RequestContext): LoupeError {
  const { status, headers } = error;
  const body: unknown = error.error;
  if (status === undefined) {
    return streamError(body, headers ?? new Headers(), context);
  }
  const message = body === undefined ? bareMessage(error) : errorText(body);
  return httpError({ status, headers: headers ?? new Headers(), message, code: errorCode(body) }, context.endpoint, context.key);
}

/** The error that a server reports inside a stream, after status 200. */
export function streamError(error: unknown, headers: Headers, { endpoint, key }: RequestContext): LoupeError {
  const failure = { status: statusOf(error), headers, message: errorText(error), code: errorCode(error) };
  return httpError(failure, endpoint, key);
}

/**
 * The error in a chunk or in a whole JSON answer; undefined without one. The SDK only finds the member `error`. vLLM
 * sends an object whose `object` is `error`, OpenRouter an error in the choice.
 */
export function errorIn(chunk: unknown): unknown {
  const error = member(chunk, 'error');
  // Some servers send this member in every chunk, with one of these values for no error.
  if (error !== undefined && error !== null && error !== '' && error !== false) {
    return error;
  }
  if (member(chunk, 'object') === 'error') {
    return chunk;
  }
  const choice = itemsOf(member(chunk, 'choices')).find((item) => textMember(item, 'finish_reason') === 'error');
  return choice === undefined ? undefined : (member(choice, 'error') ?? { message: 'The model failed while it answered.' });
}

/** OpenRouter, vLLM and llama.cpp give the status in `code` that the error would have had as an answer. */
function statusOf(error: unknown): number {
  const code = member(error, 'code');
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : SUCCESS;
}

function errorCode(error: unknown): string | null {
  return wordsMember(error, 'code') ?? wordsMember(error, 'type');
}

/** The server's own words: `message` or another known member, else the whole error. */
function errorText(error: unknown): string {
  if (typeof error === 'string') {
    return error;
  }
  // The words of the provider behind a gateway say more than the gateway's "Provider returned error".
  const raw = wordsMember(member(error, 'metadata'), 'raw');
  // llama.cpp gives its context window beside the message.
  const window = count(member(error, 'n_ctx'));
  const message = wordsMember(error, 'message') ?? wordsMember(error, 'detail');
  const words = [message, raw, window === null ? null : JSON.stringify({ n_ctx: window })].filter((text) => text !== null);
  if (words.length > 0) {
    return words.join(': ');
  }
  return error === undefined || error === null ? '' : JSON.stringify(error);
}

/** The SDK's message for a body that is not JSON, without the leading status. */
function bareMessage({ message, status }: APIError): string {
  const text = message.startsWith(`${String(status)} `) ? message.slice(`${String(status)} `.length) : message;
  return text === 'status code (no body)' ? '' : text;
}
