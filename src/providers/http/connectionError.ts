import { type LoupeError, failure } from '../../engine/errors.js';
import type { CONNECTION_FAILURES, ServerAddress } from '../../engine/failures/http.js';
import type { Endpoint } from '../endpoint.js';
import { errorsIn, redactedCause } from './redact.js';

type ConnectionCode = keyof typeof CONNECTION_FAILURES | 'http.proxyLogin';

const MEANINGS: ReadonlyMap<string, ConnectionCode> = new Map(
  Object.entries({
    ENOTFOUND: 'connection.unknownHost',
    EAI_AGAIN: 'connection.nameLookup',
    ECONNREFUSED: 'connection.refused',
    ECONNRESET: 'connection.closed',
    EPIPE: 'connection.closed',
    UND_ERR_SOCKET: 'connection.closed',
    ETIMEDOUT: 'connection.unreachable',
    UND_ERR_CONNECT_TIMEOUT: 'connection.unreachable',
    EHOSTUNREACH: 'connection.unreachable',
    ENETUNREACH: 'connection.unreachable',
    ENETDOWN: 'connection.unreachable',
    EADDRNOTAVAIL: 'connection.unreachable',
    UND_ERR_HEADERS_OVERFLOW: 'connection.headersTooLong',
    CERT_HAS_EXPIRED: 'connection.certificateExpired',
    CERT_NOT_YET_VALID: 'connection.certificateTooNew',
    ERR_TLS_CERT_ALTNAME_INVALID: 'connection.certificateName',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'connection.certificateUntrusted',
    SELF_SIGNED_CERT_IN_CHAIN: 'connection.certificateUntrusted',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'connection.certificateUntrusted',
    UNABLE_TO_GET_ISSUER_CERT: 'connection.certificateUntrusted',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'connection.certificateUntrusted',
  } as const),
);

const SILENCE_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH$)/;

/**
 * Patterns for failures that `fetch` describes only in words. The first match decides. undici, the base of `fetch` in
 * Node and VS Code, gives no useful code. The error of a refusing proxy has the code of any broken request,
 * `UND_ERR_ABORTED` (lib/dispatcher/proxy-agent.js). The error for a blocked port has no code (`makeNetworkError` in
 * lib/web/fetch/index.js). Loupe has no copy of the 80 blocked ports (https://fetch.spec.whatwg.org/#port-blocking),
 * because the list can change. If the words change, the user still sees them in the details of `connection.failed`.
 */
const PHRASES: readonly (readonly [RegExp, ConnectionCode])[] = [
  // "Proxy response (407) !== 200 when HTTP Tunneling"
  [/\bproxy\b.*\b407\b/i, 'http.proxyLogin'],
  [/\bproxy\b/i, 'connection.proxy'],
  [/\bbad port\b/i, 'connection.badPort'],
];

/** Returns the error of a failed connection, with the reason if known: DNS, TLS, proxy, refused, reset, no response. */
export function connectionError(thrown: unknown, endpoint: Endpoint, key: string | null): LoupeError {
  const errors = errorsIn(thrown);
  const place = serverAddress(endpoint);
  const cause = redactedCause(thrown, key);
  if (isSilence(thrown)) {
    return failure('connection.noAnswer', place, { cause });
  }
  for (const error of errors) {
    const meaning = MEANINGS.get(codeOf(error));
    if (meaning !== undefined) {
      const isLost = meaning === 'connection.unreachable' && isOfOpenConnection(error);
      return failure(isLost ? 'connection.closed' : meaning, reached(error, place), { cause });
    }
  }
  if (errors.some(isSpeechless)) {
    return failure('http.proxyLogin', place, { cause });
  }
  const phrase = PHRASES.find(([words]) => errors.some(({ message }) => words.test(message)))?.[1];
  const isTls = errors.some((error) => TLS_CODE.test(codeOf(error)));
  return failure(phrase ?? (isTls ? 'connection.notSecure' : 'connection.failed'), place, { cause });
}

/** Whether `fetch` itself ended the connection because of a time limit. */
export function isSilence(thrown: unknown): boolean {
  return errorsIn(thrown).some((error) => SILENCE_CODES.has(codeOf(error)));
}

/** Whether an open connection broke. Node can use the same error code for this and for a failure to connect. */
function isOfOpenConnection(error: Error): boolean {
  return 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write');
}

/** Returns the address that the error names, such as a proxy. Without such an address, returns the endpoint's. */
function reached(error: Error, place: ServerAddress): ServerAddress {
  const host = 'hostname' in error && typeof error.hostname === 'string' ? error.hostname : place.host;
  if (host !== place.host) {
    return { ...place, host, address: host };
  }
  const port = 'port' in error && typeof error.port === 'number' ? error.port : null;
  const address = 'address' in error && typeof error.address === 'string' ? error.address : place.host;
  return port === null || place.address.endsWith(`:${String(port)}`) ? place : { ...place, address: `${address}:${String(port)}` };
}

function serverAddress({ label, baseUrl }: Endpoint): ServerAddress {
  const { hostname, port, protocol } = new URL(baseUrl);
  const defaultPort = protocol === 'http:' ? '80' : '443';
  return { label, host: hostname, address: `${hostname}:${port === '' ? defaultPort : port}` };
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether the error has neither message nor code. Apart from redirects, `fetch` reports only status 407 this way. */
function isSpeechless(error: Error): boolean {
  return error.name === 'Error' && error.message === '' && codeOf(error) === '' && error.cause === undefined;
}
