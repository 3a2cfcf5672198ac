import type { HeaderPairs } from '../../engine/model/httpExchange.js';
import { redact } from './redact.js';

const MASK = '[masked]';

/** Parts of header and parameter names with secret values, such as `api-key` or `set-cookie`. */
const SECRET_NAME = /auth|cookie|credential|key|passw|secret|session|signature|token/i;

/** Exceptions with public values: limits, as in `x-ratelimit-remaining-tokens`, and reasons of a refused access. */
const OPEN_NAME = /limit|^(?:www|proxy)-authenticate$/i;

/** Most headers, and most characters of a value. The log stores them with each request. */
const MOST_HEADERS = 100;
const LONGEST_VALUE = 1_000;

/** Returns the headers for the record of a request, without the key and other values that may be secret. */
export function maskedHeaders(headers: Headers, key: string | null): HeaderPairs {
  return [...headers].slice(0, MOST_HEADERS).map(([name, value]) => [name, masked(name, value, key).slice(0, LONGEST_VALUE)]);
}

/** Returns the address for the record of a request, without the key and parameter values that may be secret. */
export function maskedAddress(address: string, key: string | null): string {
  const { origin, pathname, searchParams } = new URL(address);
  const parameters = [...searchParams].map(([name, value]) => `${name}=${masked(name, value, key)}`).join('&');
  return `${origin}${redact(pathname, key)}${parameters === '' ? '' : `?${parameters}`}`.slice(0, LONGEST_VALUE);
}

function masked(name: string, value: string, key: string | null): string {
  const redacted = redact(value, key);
  return redacted === value && isSecretName(name) ? MASK : redacted;
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !OPEN_NAME.test(name);
}
