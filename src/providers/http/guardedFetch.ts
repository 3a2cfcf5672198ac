import { failure } from '../../engine/errors.js';
import type { ExchangeListener } from '../../engine/run/exchange.js';
import type { Endpoint } from '../endpoint.js';
import { Connection } from './connection.js';
import { guardedBody, type Framing } from './guardedBody.js';
import { maskedAddress, maskedHeaders } from './masked.js';
import { redact } from './redact.js';

/** Characters of an address in a message: as much as fits into a sentence. */
const LONGEST_PLACE = 200;

/** The highest status that a `Response` can have; a server may send any three digits. */
const LAST_STATUS = 599;

/**
 * `fetch` with what the SDKs lack:
 *
 * - a limit on silence, before the first byte and between two (`timeout`);
 * - a limit on the length of a line (`protocol`);
 * - only whole events of a stream, so that a cut stream brings no broken JSON and no broken characters.
 *
 * It rejects, and errors the body, only with a `LoupeError` or the reason of the caller's abort. A redirect is an
 * error (`protocol`): following it would send the key and the chat to an address that the user has not configured.
 *
 * `exchanged` is told what is sent, and what the response begins with.
 */
export function guardedFetch(endpoint: Endpoint, exchanged: ExchangeListener): typeof fetch {
  return async (input, init) => {
    const { method, url, headers, caller } = requestOf(input, init, endpoint);
    const key = keyIn(headers);
    const connection = new Connection(endpoint, key, caller);
    const request = { method, url: maskedAddress(url, key), requestHeaders: maskedHeaders(headers, key) };
    exchanged({ ...request, response: null });
    try {
      const sent = fetch(input, { ...init, redirect: 'manual', signal: connection.signal });
      const response = await connection.wait(sent, 'start');
      exchanged({ ...request, response: { status: response.status, headers: maskedHeaders(response.headers, key) } });
      return guardedResponse(response, method, connection);
    } catch (thrown) {
      const failure = connection.failure(thrown, 'start');
      connection.close(failure);
      throw failure;
    }
  };
}

interface RequestParts {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly caller: AbortSignal | null;
}

/** `init` overrides `input`, as with `fetch`. */
function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined, endpoint: Endpoint): RequestParts {
  const request = input instanceof Request ? input : { method: 'GET', url: String(input), headers: undefined, signal: null };
  return {
    method: (init?.method ?? request.method).toUpperCase(),
    url: request.url,
    headers: headersOf(init?.headers ?? request.headers, endpoint),
    caller: init?.signal ?? request.signal,
  };
}

/** The key in the request's headers, to keep it out of errors; null without one. */
function keyIn(headers: Headers): string | null {
  return headers.get('x-api-key') ?? headers.get('authorization')?.replace(/^Bearer /i, '') ?? null;
}

function headersOf(init: RequestInit['headers'], endpoint: Endpoint): Headers {
  try {
    return new Headers(init);
  } catch {
    // The reason quotes the value, which may contain the key.
    throw failure('provider.badHeaders', endpoint);
  }
}

function guardedResponse(response: Response, method: string, connection: Connection): Response {
  const { status, statusText, headers, body } = response;
  if (isRedirect(response)) {
    // The server may have put anything into the path, even the key.
    const place = redact(placeOf(response), connection.key).slice(0, LONGEST_PLACE);
    throw failure('provider.redirects', { label: connection.endpoint.label, place });
  }
  if (status > LAST_STATUS) {
    throw failure('provider.noSuchStatus', { label: connection.endpoint.label, status });
  }
  if (body === null) {
    connection.release();
    return response;
  }
  return new Response(guardedBody(body, framingOf(response, method), connection), { status, statusText, headers });
}

/** Some implementations of `fetch` show a redirect as it is; others hide it behind this type. */
function isRedirect({ status, type, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'));
}

/** The target of a redirect, without parts that may be secret. */
function placeOf(response: Response): string {
  const location = response.headers.get('location');
  const base = URL.canParse(response.url) ? response.url : undefined;
  if (location === null || !URL.canParse(location, base)) {
    return 'another address';
  }
  const { origin, pathname } = new URL(location, base);
  return `${origin}${pathname}`;
}

/**
 * Some servers send event streams with another content type, or none. Replies come from POST requests: an answer that
 * is neither JSON nor a page counts as a stream, as in the SDKs.
 */
function framingOf({ ok, headers }: Response, method: string): Framing {
  if (!ok) {
    return 'failure';
  }
  const type = headers.get('content-type') ?? '';
  const isStream = /^\s*text\/event-stream\b/i.test(type) || (method === 'POST' && !/\bjson\b|\bhtml\b/i.test(type));
  return isStream ? 'events' : 'whole';
}
