import { failure } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { Connection } from './connection.js';
import { guardedBody, type Framing } from './guardedBody.js';
import { redact } from './redact.js';

/** As much of an address is told as fits into a sentence. */
const LONGEST_PLACE = 200;

/** Statuses that a `Response` can have; a server may send any number of three digits. */
const LAST_STATUS = 599;

/**
 * `fetch` with what the SDKs lack: a limit on silence, before the first byte and between two (`timeout`), a limit on
 * the length of a line (`protocol`), and events of a stream passed on whole or not at all, so that a stream cut in the
 * middle of one brings no broken JSON and no broken characters. Whatever it rejects with, or errors the body with, is
 * a `LoupeError`, or the reason of the caller's own abort. A redirect is an error (`protocol`): to follow it would
 * carry the key and the chat to a place that the user has not named.
 */
export function guardedFetch(endpoint: Endpoint): typeof fetch {
  return async (input, init) => {
    const { method, headers, caller } = requestOf(input, init);
    const connection = new Connection(endpoint, keyIn(headers, endpoint), caller);
    try {
      const sent = fetch(input, { ...init, redirect: 'manual', signal: connection.signal });
      return guardedResponse(await connection.wait(sent, 'start'), method, connection);
    } catch (thrown) {
      const failure = connection.failure(thrown, 'start');
      connection.close(failure);
      throw failure;
    }
  };
}

interface RequestParts {
  readonly method: string;
  readonly headers: RequestInit['headers'];
  readonly caller: AbortSignal | null;
}

/** What is set in `init` counts, as with `fetch`. */
function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): RequestParts {
  const request = input instanceof Request ? input : { method: 'GET', headers: undefined, signal: null };
  return {
    method: (init?.method ?? request.method).toUpperCase(),
    headers: init?.headers ?? request.headers,
    caller: init?.signal ?? request.signal,
  };
}

/** The key as this request carries it, so that no error tells it; null without one. */
function keyIn(init: RequestInit['headers'], endpoint: Endpoint): string | null {
  try {
    const headers = new Headers(init);
    return headers.get('x-api-key') ?? headers.get('authorization')?.replace(/^Bearer /i, '') ?? null;
  } catch {
    // The reason quotes the value, and that may hold the key.
    throw failure('provider.badHeaders', endpoint);
  }
}

function guardedResponse(response: Response, method: string, connection: Connection): Response {
  const { status, statusText, headers, body } = response;
  if (isRedirect(response)) {
    // A server may have put anything into the path, the key as well.
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

/** Some implementations of `fetch` show a redirect as it is, others hide it behind this type. */
function isRedirect({ status, type, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'));
}

/** Where a redirect leads, without what may be a secret in it. */
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
 * Some servers give their event streams another type, or none. Replies are asked for with POST; what comes back and is
 * neither JSON nor a page is taken for a stream, as the SDKs take it.
 */
function framingOf({ ok, headers }: Response, method: string): Framing {
  if (!ok) {
    return 'failure';
  }
  const type = headers.get('content-type') ?? '';
  const isStream = /^\s*text\/event-stream\b/i.test(type) || (method === 'POST' && !/\bjson\b|\bhtml\b/i.test(type));
  return isStream ? 'events' : 'whole';
}
