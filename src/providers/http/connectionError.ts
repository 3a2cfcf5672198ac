import { LoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { errorsIn } from './errorsIn.js';
import { redactedCause } from './redact.js';

/** Where a connection was to go, and who is there. */
interface Place {
  readonly label: string;
  /** Host and port, such as `api.example.com:443`. */
  readonly address: string;
  readonly host: string;
}

type Sentence = (place: Place) => string;

const LIMIT: Sentence = ({ label, address }) => `${label} (${address}) did not answer in the time that is allowed.`;
const UNREACHABLE: Sentence = ({ address }) => `${address} cannot be reached. Check the connection to the network, a VPN and the base URL.`;
const BROKEN: Sentence = ({ address }) => `The connection to ${address} was closed before an answer came.`;
const UNTRUSTED: Sentence = ({ address }) =>
  `The certificate of ${address} is not signed by anyone whom this computer trusts, so nothing was sent. ` +
  'If it is your own, or that of a proxy, add it to the certificates of the system.';

/** What the codes of Node, OpenSSL and fetch mean to the user. */
const SENTENCES: ReadonlyMap<string, Sentence> = new Map(
  Object.entries({
    ENOTFOUND: ({ host }) => `There is no host named ${host}. Check the base URL and the connection to the network.`,
    EAI_AGAIN: ({ host }) => `The name ${host} could not be looked up (DNS). Check the connection to the network.`,
    ECONNREFUSED: ({ address }) => `Nothing answers at ${address}. Check that the server runs, and the base URL.`,
    ECONNRESET: BROKEN,
    EPIPE: BROKEN,
    UND_ERR_SOCKET: BROKEN,
    ETIMEDOUT: UNREACHABLE,
    UND_ERR_CONNECT_TIMEOUT: UNREACHABLE,
    EHOSTUNREACH: UNREACHABLE,
    ENETUNREACH: UNREACHABLE,
    ENETDOWN: UNREACHABLE,
    EADDRNOTAVAIL: UNREACHABLE,
    UND_ERR_HEADERS_TIMEOUT: LIMIT,
    UND_ERR_BODY_TIMEOUT: LIMIT,
    UND_ERR_HEADERS_OVERFLOW: ({ label }) => `The answer of ${label} has headers that are too long.`,
    CERT_HAS_EXPIRED: ({ address }) => `The certificate of ${address} has expired, or the clock of this computer is wrong.`,
    CERT_NOT_YET_VALID: ({ address }) => `The certificate of ${address} is not valid yet, or the clock of this computer is wrong.`,
    ERR_TLS_CERT_ALTNAME_INVALID: ({ address, host }) =>
      `The certificate of ${address} is for another name than ${host}, so nothing was sent. Check the base URL.`,
    DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
    SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
    UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  }),
);

const SILENCE_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_|CRL_|HOSTNAME_MISMATCH$)/;

/** What is told without a code: by proxies, and by `fetch` for what it does not even send. */
const PHRASES: readonly (readonly [RegExp, Sentence])[] = [
  [/\bproxy\b/i, ({ address }) => `The proxy did not let the request to ${address} through. Check the setting "http.proxy".`],
  [/\bredirect/i, ({ label }) => `${label} sends requests on to another address. Loupe does not follow, since the key would go there too.`],
  [/\bbad port\b/i, ({ address }) => `The port of ${address} is one of those that are never used for web requests.`],
];

/** The error for a connection that failed: DNS, TLS, proxy, refused, reset. A `LoupeError` among the causes stays as it is. */
export function connectionError(cause: unknown, endpoint: Endpoint, key: string | null): LoupeError {
  const errors = errorsIn(cause);
  const own = errors.find((error) => error instanceof LoupeError);
  if (own !== undefined) {
    return own;
  }
  const redacted = redactedCause(cause, key);
  if (errors.some(isAbort)) {
    return new LoupeError('cancelled', 'The request was stopped.', { cause: redacted });
  }
  return configurationError(errors, endpoint, key) ?? networkError(errors, placeOf(endpoint), redacted);
}

/** Whether the connection ended because nothing came, by a limit of `fetch` itself, or of the SDKs (they have no code). */
export function isSilence(thrown: unknown): boolean {
  return errorsIn(thrown).some((error) => SILENCE_CODES.has(codeOf(error)) || error.message === 'Request timed out.');
}

/** What no network can heal: an address or a header that cannot be sent. */
function configurationError(errors: readonly Error[], endpoint: Endpoint, key: string | null): LoupeError | null {
  const cause = redactedCause(errors[0], key);
  const { label, baseUrl } = endpoint;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    const message = `The base URL of ${label} is not the address of a web server. It starts with https:// or http://.`;
    return new LoupeError('invalidInput', message, { cause });
  }
  const { username, password } = new URL(baseUrl);
  if (username !== '' || password !== '') {
    const message = `The base URL of ${label} holds a user name or a password; such requests are not sent. Take it out.`;
    return new LoupeError('invalidInput', message, { cause });
  }
  if (!errors.some(({ message }) => /\bheader (?:value|name)\b|\bByteString\b/i.test(message))) {
    return null;
  }
  return key !== null && /[^\x21-\x7e]/.test(key)
    ? new LoupeError('auth', `The key of ${label} holds characters that no key has. Enter it again.`, { cause })
    : new LoupeError('invalidInput', `A header that is configured for ${label} holds characters that none may have.`, {
        cause,
      });
}

function networkError(errors: readonly Error[], place: Place, cause: unknown): LoupeError {
  if (errors.some(isSilence)) {
    return new LoupeError('timeout', LIMIT(place), { cause });
  }
  const coded = errors.find((error) => SENTENCES.has(codeOf(error)));
  const sentence = coded === undefined ? undefined : SENTENCES.get(codeOf(coded));
  if (coded !== undefined && sentence !== undefined) {
    return new LoupeError('network', sentence(reached(coded, place)), { cause });
  }
  const phrase = PHRASES.find(([words]) => errors.some(({ message }) => words.test(message)));
  if (phrase !== undefined) {
    return new LoupeError('network', phrase[1](place), { cause });
  }
  const message = errors.some((error) => TLS_CODE.test(codeOf(error)))
    ? `No secure connection to ${place.address} could be made (TLS). Check whether the base URL wants http:// or https://.`
    : `The connection to ${place.address} failed.`;
  return new LoupeError('network', message, { cause });
}

/** The error names the place that it could not reach when that is another one: a proxy. */
function reached(error: Error, place: Place): Place {
  const host = 'hostname' in error && typeof error.hostname === 'string' ? error.hostname : place.host;
  if (host !== place.host) {
    return { ...place, host, address: host };
  }
  const port = 'port' in error && typeof error.port === 'number' ? error.port : null;
  const address = 'address' in error && typeof error.address === 'string' ? error.address : place.host;
  return port === null || place.address.endsWith(`:${String(port)}`) ? place : { ...place, address: `${address}:${String(port)}` };
}

function placeOf({ label, baseUrl }: Endpoint): Place {
  const { hostname, port, protocol } = new URL(baseUrl);
  const defaultPort = protocol === 'http:' ? '80' : '443';
  return { label, host: hostname, address: `${hostname}:${port === '' ? defaultPort : port}` };
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** An abort as `fetch` tells it, or the SDKs: their errors have neither a name nor a code of their own. */
function isAbort({ name, message }: Error): boolean {
  return name === 'AbortError' || message === 'Request was aborted.';
}
