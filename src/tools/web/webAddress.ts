import { failure } from '../../engine/errors.js';

/** Matches the scheme of an address, but not the port of `localhost:8080`. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;

/**
 * Parses the address of a web page. Adds `https://` if the text has no scheme, and removes the fragment, which servers
 * never receive. Throws `invalidInput` for another scheme, and for a user name or password in the address.
 */
export function webAddress(text: string): URL {
  const trimmed = text.trim();
  const whole = SCHEME.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw failure('page.badAddress', { text: trimmed.slice(0, MOST_QUOTED) });
  }
  if (url.username !== '' || url.password !== '') {
    throw failure('page.credentials', { host: url.host });
  }
  url.hash = '';
  return url;
}

/** Maximum number of characters of a bad address in its error message. */
const MOST_QUOTED = 200;
