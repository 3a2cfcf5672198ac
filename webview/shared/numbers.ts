import { counted, markedPrice, price } from '../../src/protocol/numbers.js';
import type { SizeBasis } from '../../src/protocol/panel/entries.js';

/* Formats of figures for webviews only. src/protocol has the formats that the host also uses. */

export {
  age,
  amount,
  columnPrice,
  counted,
  countedAs,
  fileSize,
  markedPrice,
  minutes,
  NOTABLE_CORRECTION,
  offBy,
  percent,
  price,
  priceInWords,
  roughPrice,
  signedTokens,
  tokens,
} from '../../src/protocol/numbers.js';

/** Returns an estimated price for a sentence: `about $0.0035`, `less than $0.0001`. */
export function aboutPrice(dollars: number): string {
  const written = price(dollars);
  return written.startsWith('<') ? `less than${written.slice(1)}` : `about ${written}`;
}

/** Returns the mark in front of a token count that is not exact. */
export function basisMark(basis: SizeBasis): string {
  switch (basis) {
    case 'exact':
    case 'providerCount':
      return '';
    case 'estimate':
      return '≈ ';
    case 'atLeast':
      return '≥ ';
  }
}

/** Marks the price of a token count that is not exact: `≈ $0.0045`. */
export function basisPrice(written: string, basis: SizeBasis): string {
  return basis === 'estimate' ? markedPrice('≈', written) : written;
}

/** Formats tokens: `51,204 tokens`, `1 token`. Adds a mark when the count is not exact. */
export function tokensWithUnit(count: number, basis: SizeBasis): string {
  return `${basisMark(basis)}${counted(count, 'token')}`;
}

/** Formats a remaining time in seconds, rounded up: `12 s`, `1 min 5 s`. `0 s` after the end. */
export function remaining(milliseconds: number): string {
  return wholeSeconds(Math.max(0, Math.ceil(milliseconds / 1_000)));
}

/** Formats an elapsed time in seconds, rounded down: `8 s`, `1 min 5 s`. */
export function elapsed(milliseconds: number): string {
  return wholeSeconds(Math.max(0, Math.floor(milliseconds / 1_000)));
}

function wholeSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats tokens for chips and legends, which have little room: `412`, `1.9k`, `23k`, `1.2M`. */
export function shortTokens(count: number): string {
  if (count < 1_000) {
    return String(count);
  }
  // Writes no decimals from 99,950 on, which would be rounded to `100.0k`.
  if (count < 99_950) {
    return `${(count / 1_000).toFixed(1)}k`;
  }
  return count < 999_500 ? `${(count / 1_000).toFixed(0)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** Minimum duration to show, in ms. */
const LEAST_DURATION_MS = 100;

/** Whether a duration is long enough to be shown. */
export function isNotable(milliseconds: number): boolean {
  return milliseconds >= LEAST_DURATION_MS;
}

/** Formats a duration: `850 ms`, `3.2 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) {
    return `${Math.round(milliseconds)} ms`;
  }
  if (milliseconds < 59_950) {
    return `${(milliseconds / 1_000).toFixed(1)} s`;
  }
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The Swedish locale writes dates in the format of ISO 8601: `2026-11-21 14:02`. */
const DATE_TIME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/** Formats a local date and time: `2026-11-21 14:02`. */
export function dateTime(at: number): string {
  return DATE_TIME.format(at);
}

/** Formats a local time: `14:02`. Adds the date for another day than today. */
export function clock(at: number, now: number): string {
  const [date = '', time = ''] = dateTime(at).split(' ');
  return dateTime(now).startsWith(date) ? time : `${date} ${time}`;
}
