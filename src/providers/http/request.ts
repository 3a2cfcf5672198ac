import { failure, refuseAborted, type LoupeError } from '../../engine/errors.js';
import type { ExchangeListener } from '../../engine/model/exchange.js';
import type { Endpoint, KeyUse, KeyHeader } from '../endpoint.js';
import { Answer, refusalOf } from './answer.js';
import { Connection } from './connection.js';
import { maskedAddress, maskedHeaders } from './masked.js';
import { redact } from './redact.js';

/** Characters of an address in a message: as much as fits into a sentence. */
const LONGEST_PLACE = 200;

/** A request of a protocol. */
export interface Asked extends ProtocolHeaders {
  readonly url: string;
  /** JSON, which is posted byte for byte; null to get. */
  readonly body: string | null;
  readonly use: KeyUse;
  readonly signal: AbortSignal;
  /** Is told what is sent, and what the answer begins with. */
  readonly exchanged: ExchangeListener;
}

/**
 * Sends a request, once: the only way from Loupe to a provider. It asks for the key anew. There is a limit on silence, before
 * the first byte and between two, and on the size of an event or answer. A redirect is an error: following it would send the
 * key and the chat to an address that the user has not configured.
 *
 * Rejects with a `LoupeError` that never holds the key: the connection failed, the status is none of success, or the caller
 * aborted (`cancelled`).
 */
export async function request(endpoint: Endpoint, asked: Asked): Promise<Answer> {
  const { url, body, use, signal, exchanged } = asked;
  refuseAborted(signal, 'request.stopped');
  const key = await endpoint.key(use);
  refuseAborted(signal, 'request.stopped');
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
      throw await refusalOf(response, connection);
    }
    return new Answer(response, connection);
  } catch (thrown) {
    const error = connection.failure(thrown, 'start');
    connection.close(error);
    throw error;
  }
}

/** Some implementations of `fetch` show a redirect as it is; others hide it behind this type. */
export function isRedirect({ status, type, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'));
}

function redirected(response: Response, { endpoint, key }: Connection): LoupeError {
  // The server may have put anything into the path, even the key.
  return failure('provider.redirects', { label: endpoint.label, place: redact(placeOf(response), key).slice(0, LONGEST_PLACE) });
}

/** The target of a redirect, without parts that may be secret. */
export function placeOf(response: Response): string {
  const location = response.headers.get('location');
  const base = URL.canParse(response.url) ? response.url : undefined;
  if (location === null || !URL.canParse(location, base)) {
    return 'another address';
  }
  const { origin, pathname } = new URL(location, base);
  return `${origin}${pathname}`;
}

/** Visible ASCII: a header can carry no other characters. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** What a protocol puts into the headers of a request. */
export interface ProtocolHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** The header for the key, unless the endpoint's configuration names another. */
  readonly keyHeader: KeyHeader;
}

/**
 * All headers of a request: those of the protocol, the configured ones, which win, and the key, if there is one. Throws `auth`
 * for a key, and `invalidInput` for a header, that cannot be sent. Neither value is in the message.
 */
export function requestHeaders(endpoint: Endpoint, key: string | null, own: ProtocolHeaders): Headers {
  const headers = new Headers({ 'content-type': 'application/json', ...own.headers });
  for (const [name, value] of Object.entries(endpoint.headers)) {
    try {
      headers.set(name, value);
    } catch (thrown) {
      // The reason quotes the value, which may be secret: it is not kept.
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
