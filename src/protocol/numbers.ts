/*
 * Functions that format figures for host and views: tokens, prices, shares and times.
 */

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a number of tokens: `51,204`. An unknown number is shown as a word, never as 0. */
export function tokens(count: number | null): string {
  return count === null ? 'unknown' : WHOLE.format(count);
}

/** Formats a number with its noun: `1 message`, `2 messages`. */
export function counted(count: number, singular: string): string {
  return countedAs(count, singular, `${singular}s`);
}

/** Formats a number with the words after it: `1 line is`, `2 lines are`. */
export function countedAs(count: number, one: string, many: string): string {
  return `${tokens(count)} ${count === 1 ? one : many}`;
}

/** The lowest price that is shown exactly, because more than four decimals do not help a reader. */
const LEAST_PRICE = 0.0001;

/** Formats US dollars: four decimals below a dollar (`$0.0012`, `< $0.0001`), otherwise two. Keeps final zeros. */
export function price(dollars: number): string {
  // Rounds first, so that 0.99996 is shown as one dollar.
  const rounded = dollars < 1 ? Number(dollars.toFixed(4)) : dollars;
  return dollars === 0 || rounded >= 1 ? DOLLARS.format(rounded) : columnPrice(dollars, false);
}

const AMOUNT = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });

/** Formats a limit that the user entered, without rounding: `$0.50`, `$5.00`, `$0.0025`. */
export function amount(dollars: number): string {
  return AMOUNT.format(dollars);
}

/** Formats US dollars for a column, with four decimals: `< $0.0001`, `≥ $0.0045` for a lower bound, `−$0.0045`. */
export function columnPrice(dollars: number, isLowerBound: boolean): string {
  if (isLowerBound) {
    return `≥ $${dollars.toFixed(4)}`;
  }
  if (dollars < 0) {
    return `−${columnPrice(-dollars, false)}`;
  }
  return dollars > 0 && dollars < LEAST_PRICE ? '< $0.0001' : `$${dollars.toFixed(4)}`;
}

/** Marks a price that is not exact: `≈ $0.0045`. `< $0.0001` gets no mark, but with `≥` it becomes `> $0`. */
export function markedPrice(mark: '≈' | '≤' | '≥', written: string): string {
  if (written.startsWith('<')) {
    return mark === '≥' ? '> $0' : written;
  }
  return `${mark} ${written}`;
}

/** Formats an estimate in US dollars: two significant digits, at most four decimals: `$0.0004`, `$0.0030`, `$0.045`. */
export function roughPrice(dollars: number): string {
  const digits = dollars.toPrecision(2);
  const rough = Number(Number(digits).toFixed(4));
  if (rough >= 1) {
    return price(Math.max(1, dollars));
  }
  const decimals = Math.min(4, digits.length - '0.'.length);
  return rough === 0 ? price(dollars) : `$${rough.toFixed(decimals)}`;
}

/** Formats the difference between two numbers of tokens: `4`, `−15`. */
export function signedTokens(count: number): string {
  return `${count < 0 ? '−' : ''}${tokens(Math.abs(count))}`;
}

/** Formats a share: `51%`, `4,039%`. A share above 0 that rounds to 0 is shown as `< 1%`. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) {
    return '0%';
  }
  const rounded = Math.round((part / whole) * 100);
  return rounded === 0 && part > 0 ? '< 1%' : `${tokens(rounded)}%`;
}

/** Formats the remaining time of a wait: `3:12`, `0:05`. */
export function minutes(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Formats a time to come, in whole minutes or hours: `4 min`, `20 min`, `5 h`. Less than a minute: `1 min`. */
export function wait(milliseconds: number): string {
  return milliseconds < 2 * HOUR ? `${Math.max(1, Math.round(milliseconds / MINUTE))} min` : `${Math.floor(milliseconds / HOUR)} h`;
}

/** Smallest correction of token counts that is shown, as a share. Smaller corrections are normal. */
export const NOTABLE_CORRECTION = 0.005;

/** Formats the error of a figure: `0.4%`, `12%`, with one decimal below 10. */
export function offBy(share: number): string {
  const percentage = Math.abs(share) * 100;
  const rounded = percentage < 10 ? Number(percentage.toFixed(1)) : Math.round(percentage);
  return `${String(rounded)}%`;
}

/** Formats the time since `at`: `now`, `5 min`, `3 h`, `2 d`. Formats earlier times as a date. */
export function age(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  if (passed < MINUTE) {
    return 'now';
  }
  if (passed < HOUR) {
    return `${Math.floor(passed / MINUTE)} min`;
  }
  if (passed < DAY) {
    return `${Math.floor(passed / HOUR)} h`;
  }
  return passed < 7 * DAY ? `${Math.floor(passed / DAY)} d` : new Date(at).toISOString().slice(0, 10);
}

/** Returns the price `words` as the end of a sentence. For a model that is not billed: `would cost $0.0045`. */
export function priceInWords(words: string, isPretended: boolean): string {
  return isPretended ? `would cost ${words}` : words;
}

const KIB = 1_024;
const SIZES = ['bytes', 'KB', 'MB', 'GB'] as const;

/** Formats a size in bytes, with units of 1,024: `412 bytes`, `1.5 KB`, `50 MB`. */
export function fileSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Uses the next unit from 1,023.5 on, which would be rounded to `1,024`.
  while (value >= KIB - 0.5 && unit < SIZES.length - 1) {
    value /= KIB;
    unit += 1;
  }
  // Writes no decimals from 9.95 on, which would be rounded to `10.0`.
  const written = unit > 0 && value < 9.95 ? value.toFixed(1).replace('.0', '') : tokens(value);
  return `${written} ${SIZES[unit] ?? ''}`;
}
