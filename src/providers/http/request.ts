import { type LoupeError, failIfAborted, failure } from '../../engine/errors.js';
import type { ExchangeListener } from '../../engine/model/httpExchange.js';
import type { Endpoint, KeyHeader, KeyUse } from '../endpoint.js';
import { ProviderResponse, refusalOf } from './answer.js';
import { Connection } from './connection.js';
import { maskedAddress, maskedHeaders, redact } from './redact.js';

/** Maximum number of characters of an address in an error message. */
const LONGEST_PLACE = 200;

export interface ProtocolRequest extends ProtocolHeaders {
  readonly url: string;
  /** The JSON to post, byte for byte. Null for GET. */
  readonly body: string | null;
  readonly use: KeyUse;
  readonly signal: AbortSignal;
  /** Called when Loupe sends the request, and again with the status and headers when a response arrives. */
  readonly exchanged: ExchangeListener;
}

/** A request at a path below the base address of an endpoint. */
export interface RequestAtPath extends Pick<ProtocolRequest, 'body' | 'use' | 'signal' | 'exchanged'> {
  readonly path: string;
}

/**
 * Sends one request. Reads the key for each request. All requests to providers use this function. Limits the time
 * without data and the size of an event or response. Treats a redirect as an error, because the key and the chat must
 * not reach an address that the user has not configured.
 *
 * Rejects with a `LoupeError` that never contains the key: for a bad key or header, a failed connection, a redirect, an
 * error status, or the caller's abort (`cancelled`).
 */
export async function request(endpoint: Endpoint, asked: ProtocolRequest): Promise<ProviderResponse> {
  const { url, body, use, signal, exchanged } = asked;
  failIfAborted(signal, 'request.stopped');
  const key = await endpoint.key(use);
  failIfAborted(signal, 'request.stopped');
  const headers = requestHeaders(endpoint, key, asked);
  const method = body === null ? 'GET' : 'POST';
  const sent = { method, url: maskedAddress(url, key), requestHeaders: maskedHeaders(headers, key) };
  const connection = new Connection(endpoint, key, signal);
  try {
    exchanged({ ...sent, response: null });
    const answering = fetch(url, { method, headers, body, redirect: 'manual', signal: connection.signal });
    const response = await connection.wait(answering, 'start');
    exchanged({ ...sent, response: { status: response.status, headers: maskedHeaders(response.headers, key) } });
    if (isRedirect(response)) {
      throw redirected(response, connection);
    }
    if (!response.ok) {
      throw await refusalOf(response, connection, body);
    }
    return new ProviderResponse(response, connection, body);
  } catch (thrown) {
    const error = connection.failure(thrown, 'start');
    connection.close(error);
    throw error;
  }
}

/** Whether a response is a redirect. Some implementations of `fetch` hide the status and set only this type. */
export function isRedirect({ status, type, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'));
}

function redirected(response: Response, { endpoint, key }: Connection): LoupeError {
  // Removes the key, because the path of the target can contain anything.
  return failure('provider.redirects', { label: endpoint.label, place: redact(placeOf(response), key).slice(0, LONGEST_PLACE) });
}

/** Returns the target of a redirect, without parts that may be secret. */
export function placeOf(response: Response): string {
  const location = response.headers.get('location');
  const base = URL.canParse(response.url) ? response.url : undefined;
  if (location === null || !URL.canParse(location, base)) {
    return 'another address';
  }
  const { origin, pathname } = new URL(location, base);
  return `${origin}${pathname}`;
}

/** Matches a key that a header can contain: visible ASCII characters only. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

export interface ProtocolHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** The header for the key, unless the settings name another header. */
  readonly keyHeader: KeyHeader;
}

/**
 * Returns all headers of a request: those of the protocol, those of the settings (they take precedence), and the key.
 * Throws `auth` for a key and `invalidInput` for a header that cannot be sent. The messages contain neither value.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null, own: ProtocolHeaders): Headers {
  const headers = new Headers({ 'content-type': 'application/json', ...own.headers });
  for (const [name, value] of Object.entries(endpoint.headers)) {
    try {
      headers.set(name, value);
    } catch (thrown) {
      // Drops the original error, which quotes the header's value. The value may be secret.
      if (thrown instanceof TypeError) {
        throw failure('provider.badHeader', { label: endpoint.label, name });
      }
      throw thrown;
    }
  }
  if (key === null) {
    return headers;
  }
  if (!SENDABLE_KEY.test(key)) {
    throw failure('provider.badKey', endpoint);
  }
  const name = endpoint.keyHeader ?? own.keyHeader;
  headers.set(name, name === 'authorization' ? `Bearer ${key}` : key);
  return headers;
}
