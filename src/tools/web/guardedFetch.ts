import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { failIfAborted, failure, LoupeError } from '../../engine/errors.js';
import { raceAbort } from '../../engine/run/abortRace.js';
import { type BodyLimits, bodyOf } from './pageBody.js';
import { isPublicAddress } from './publicAddress.js';
import { webAddress } from './webAddress.js';

/** A file from the web, as its server sent it. */
export interface FetchedFile {
  /** The address after all redirects. */
  readonly url: URL;
  /** The header `content-type`. Empty when the server sent none. */
  readonly contentType: string;
  /** The content without compression. */
  readonly bytes: Uint8Array;
}

export interface FetchLimits extends BodyLimits {
  /** Maximum time in ms for all connections together. The time of a question does not count. */
  readonly ms: number;
}

export const PAGE_LIMITS: FetchLimits = { ms: 20_000, bytes: 10 * 1024 * 1024 };

export interface GuardedFetchPorts {
  /** Looks up all IP addresses of a host. */
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
  /**
   * Asks whether Loupe may connect to these IP addresses of a host, which are not public. `host` contains the port.
   * Called once for each host of a fetch.
   */
  readonly mayOpenPrivate: (host: string, addresses: readonly string[]) => Promise<boolean>;
  readonly limits: FetchLimits;
  /** Returns the time in ms. */
  readonly now: () => number;
}

/** Maximum number of redirects. Each one is checked like the first address. */
const MOST_REDIRECTS = 5;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  // Some servers refuse requests without this header.
  'user-agent': 'Mozilla/5.0 (compatible; Loupe; VS Code extension)',
};

/**
 * Fetches a file from the web, with limits for size, time and redirects. It connects only to an IP address that it has
 * checked: it looks up each host once, checks the result, and gives this result to the connection. So a host cannot
 * change its address in between. VS Code's settings for proxies apply, because VS Code replaces `node:http`; behind a
 * proxy, the proxy looks up the host again.
 *
 * Rejects with a `LoupeError`.
 */
export async function guardedFetch(address: string, signal: AbortSignal, ports: GuardedFetchPorts): Promise<FetchedFile> {
  const allowed = new Set<string>();
  let url = webAddress(address);
  let left = ports.limits.ms;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const host = await checkedHost(url, { allowed, signal, ports });
    const start = ports.now();
    const outcome = await exchange(url, host, { signal, ms: left, limits: ports.limits });
    if (!(outcome instanceof URL)) {
      return outcome;
    }
    left -= ports.now() - start;
    url = outcome;
  }
  throw failure('page.redirects', { host: url.host, most: MOST_REDIRECTS });
}

/** The IP addresses of a host, or the error of the lookup, which the connection reports. A proxy needs neither. */
type CheckedHost = readonly LookupAddress[] | Error;

interface HostCheck {
  /** Hosts that are not public and that the user has allowed, each with its port and IP addresses. */
  readonly allowed: Set<string>;
  readonly signal: AbortSignal;
  readonly ports: GuardedFetchPorts;
}

async function checkedHost(url: URL, { allowed, signal, ports }: HostCheck): Promise<CheckedHost> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await raceAbort(addressesOf(host, ports), signal);
  if (found === 'aborted') {
    throw failure('page.cancelled');
  }
  if (found instanceof Error) {
    return found;
  }
  const inner = found.filter(({ address }) => !isPublicAddress(address));
  const addresses = inner.map(({ address }) => address);
  const key = [url.host, ...addresses].join(' ');
  if (inner.length === 0 || allowed.has(key)) {
    return inner.length === 0 ? found : inner;
  }
  const answer = await raceAbort(ports.mayOpenPrivate(url.host, addresses), signal);
  failIfAborted(signal, 'page.cancelled');
  if (answer !== true) {
    throw failure('page.notAllowed', { host: url.host });
  }
  allowed.add(key);
  // Connects only to the addresses of the question, although the host can have others.
  return inner;
}

async function addressesOf(host: string, { resolve }: GuardedFetchPorts): Promise<CheckedHost> {
  const family = isIP(host);
  if (family !== 0) {
    return [{ address: host, family }];
  }
  try {
    return await resolve(host);
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** Time that is left for this exchange. */
  readonly ms: number;
  readonly limits: FetchLimits;
}

/** Sends one request. Returns the file, or the target of a redirect. */
async function exchange(url: URL, host: CheckedHost, { signal, ms, limits }: ExchangeLimits): Promise<FetchedFile | URL> {
  // A timer of its own: Node 20 can collect a signal of `AbortSignal.timeout`, which then never aborts.
  const over = new AbortController();
  const timer = setTimeout(
    () => {
      over.abort();
    },
    Math.max(1, Math.ceil(ms)),
  );
  const either = AbortSignal.any([signal, over.signal]);
  try {
    const response = await responseOf(url, host, either);
    const target = redirectOf(url, response);
    if (target !== null) {
      response.destroy();
      return target;
    }
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      response.destroy();
      throw failure('page.status', { host: url.host, status });
    }
    const bytes = await bodyOf(response, url.host, limits, either);
    return { url, contentType: response.headers['content-type'] ?? '', bytes };
  } catch (thrown) {
    failIfAborted(signal, 'page.cancelled');
    if (over.signal.aborted) {
      throw failure('page.timeout', { host: url.host, seconds: limits.ms / 1000 }, { cause: thrown });
    }
    throw thrown instanceof LoupeError ? thrown : connectionFailure(thrown, url.host);
  } finally {
    clearTimeout(timer);
  }
}

function responseOf(url: URL, host: CheckedHost, signal: AbortSignal): Promise<http.IncomingMessage> {
  const lookup: LookupFunction = (_name, options, callback) => {
    if (host instanceof Error) {
      callback(host, '');
    } else if (options.all === true) {
      callback(null, [...host]);
    } else {
      callback(null, host[0]?.address ?? '', host[0]?.family);
    }
  };
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    // Without a proxy, the request gets a connection of its own: a shared one could lead to an unchecked address.
    const sent = request(url, { headers: HEADERS, lookup, agent: false, signal }, resolve);
    sent.once('error', reject);
    sent.end();
  });
}

/** Returns the target of a redirect, or null for another response. Throws `refused` for a bad target. */
function redirectOf(url: URL, response: http.IncomingMessage): URL | null {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (status < 300 || status > 399 || location === undefined) {
    return null;
  }
  try {
    return webAddress(new URL(location, url).href);
  } catch (thrown) {
    throw failure('page.badRedirect', { host: url.host }, { cause: thrown });
  }
}

/** Codes of Node for a host without an address. */
const UNKNOWN = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']);
/** Codes of Node for a host without a server. */
const NO_SERVER = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

/** Matches Node's codes for a failure of TLS. */
const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|CRL_|HOSTNAME_MISMATCH$)/;

/** Returns the error of a failed connection to the host of a page. */
function connectionFailure(thrown: unknown, host: string): LoupeError {
  const code = codeOf(thrown);
  const options = { cause: thrown };
  if (UNKNOWN.has(code)) {
    return failure('page.unknownHost', { host }, options);
  }
  if (NO_SERVER.has(code)) {
    return failure('page.noServer', { host }, options);
  }
  return failure(TLS_CODE.test(code) ? 'page.notSecure' : 'page.connection', { host }, options);
}

/** Returns the code of an error, or of the first error of several attempts to connect. */
function codeOf(thrown: unknown): string {
  const error = thrown instanceof AggregateError && !('code' in thrown) ? (thrown.errors[0] as unknown) : thrown;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
