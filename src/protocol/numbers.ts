/*
 * How figures are written wherever host and views write the same ones: tokens, prices, shares and times.
 */

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `51,204`; an unknown figure is a word, never 0. */
export function tokens(count: number | null): string {
  return count === null ? 'unknown' : WHOLE.format(count);
}

/** `1 message`, `2 messages`. */
export function counted(count: number, singular: string): string {
  return countedAs(count, singular, `${singular}s`);
}

/** A number with its noun and what follows it: `1 line is`, `2 lines are`. */
export function countedAs(count: number, one: string, many: string): string {
  return `${tokens(count)} ${count === 1 ? one : many}`;
}

/** The least price that is written with its digits: nobody reads more than four decimals. */
const LEAST_PRICE = 0.0001;

/** US dollars: four decimals below a dollar (`$0.0012`, `< $0.0001`), then two. Zeros at the end stay, so that prices beside each other compare. */
export function price(dollars: number): string {
  // Rounded first: 0.99996 is a dollar.
  const rounded = dollars < 1 ? Number(dollars.toFixed(4)) : dollars;
  return dollars === 0 || rounded >= 1 ? DOLLARS.format(rounded) : columnPrice(dollars, false);
}

const AMOUNT = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });

/** An amount that the user has set, as it is: `$0.50`, `$5.00`, `$0.0025`. */
export function amount(dollars: number): string {
  return AMOUNT.format(dollars);
}

/**
 * US dollars in a column: always four decimals, so that points stand below each other; `< $0.0001` for less. A sum that is
 * a lower bound begins with `≥`, and one that is taken off with `−`.
 */
export function columnPrice(dollars: number, isLowerBound: boolean): string {
  if (isLowerBound) {
    return `≥ $${dollars.toFixed(4)}`;
  }
  if (dollars < 0) {
    return `−${columnPrice(-dollars, false)}`;
  }
  return dollars > 0 && dollars < LEAST_PRICE ? '< $0.0001' : `$${dollars.toFixed(4)}`;
}

/** A price that is not the exact one: `≈ $0.0045`. Below what is written it says so itself: `< $0.0001`, as a lower bound `> $0`. */
export function markedPrice(mark: '≈' | '≤' | '≥', written: string): string {
  if (written.startsWith('<')) {
    return mark === '≥' ? '> $0' : written;
  }
  return `${mark} ${written}`;
}

/** US dollars of what is known roughly: two significant digits, at most four decimals: `$0.0004`, `$0.045`, `$0.30`, `$1.20`. */
export function roughPrice(dollars: number): string {
  const rough = Number(Number(dollars.toPrecision(2)).toFixed(4));
  const decimals = `${rough}`.split('.')[1]?.length ?? 0;
  if (rough >= 1) {
    return price(Math.max(1, dollars));
  }
  return rough === 0 ? price(dollars) : `$${rough.toFixed(Math.max(2, decimals))}`;
}

/** `4`, `−15`: what is added or taken off, in tokens. */
export function signedTokens(count: number): string {
  return `${count < 0 ? '−' : ''}${tokens(Math.abs(count))}`;
}

/** `51%`, `4,039%`; `< 1%` for a share above 0 that rounds to 0. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) {
    return '0%';
  }
  const rounded = Math.round((part / whole) * 100);
  return rounded === 0 && part > 0 ? '< 1%' : `${tokens(rounded)}%`;
}

/** The rest of a wait as a clock shows it: `3:12`, `0:05`. */
export function minutes(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A correction of counts, as a share of them, that is told: less is within what they vary from text to text. */
export const NOTABLE_CORRECTION = 0.005;

/** `0.4 %`, `12 %`: by how much a figure is off, with a decimal below 10. */
export function offBy(share: number): string {
  const percentage = Math.abs(share) * 100;
  const rounded = percentage < 10 ? Number(percentage.toFixed(1)) : Math.round(percentage);
  return `${String(rounded)} %`;
}

/** The time since, in one or two words: `now`, `5 min`, `3 h`, `2 d`, then the date. */
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

/**
 * A price in words. One that is not billed has a word for that, not a look: `would cost $0.0045`. `words` may hold more
 * than one price.
 */
export function priceInWords(words: string, isPretended: boolean): string {
  return isPretended ? `would cost ${words}` : words;
}
