import { failure } from '../../engine/errors.js';

/** Matches the scheme of an address, but not the port of `localhost:8080`. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;

/**
 * Parses the address of a web page. Adds `https://` if the text has no scheme, and removes the fragment, which servers
 * never receive. Throws `invalidInput` for another scheme, a user name or password, and a long address.
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
  if (url.href.length > MOST_CHARACTERS) {
    throw failure('page.longAddress', { host: url.host, most: MOST_CHARACTERS });
  }
  return url;
}

/** Maximum number of characters of an address. Messages of the panel limit the keys of items to 4,096 characters. */
const MOST_CHARACTERS = 4_000;

/** Maximum number of characters of a bad address in its error message. */
const MOST_QUOTED = 200;
