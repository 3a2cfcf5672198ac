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
  return `${tokens(count)} ${singular}${count === 1 ? '' : 's'}`;
}

/**
 * US dollars: four significant digits below a cent (`$0.001234`), four decimals below a dollar, then two. Zeros at the end
 * stay, so that prices beside each other compare.
 */
export function price(dollars: number): string {
  // Rounded first: 0.00999999 is a cent.
  const rounded = dollars < 1 ? Number(dollars.toPrecision(4)) : dollars;
  if (rounded === 0 || rounded >= 1) {
    return DOLLARS.format(rounded);
  }
  const decimals = rounded < 0.01 ? Math.min(12, 3 - Math.floor(Math.log10(rounded))) : 4;
  return `$${rounded.toFixed(decimals)}`;
}

/** The least price that a column can write. */
const LEAST_IN_COLUMN = 0.0001;

/**
 * US dollars in a column: always four decimals, so that points stand below each other; `< $0.0001` for less. A sum that is
 * a lower bound begins with `≥`.
 */
export function columnPrice(dollars: number, isLowerBound: boolean): string {
  if (isLowerBound) {
    return `≥ $${dollars.toFixed(4)}`;
  }
  return dollars > 0 && dollars < LEAST_IN_COLUMN ? '< $0.0001' : `$${dollars.toFixed(4)}`;
}

/** `51%`, `4,039%`; `< 1%` for a share above 0 that rounds to 0. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) {
    return '0%';
  }
  const rounded = Math.round((part / whole) * 100);
  return rounded === 0 && part > 0 ? '< 1%' : `${tokens(rounded)}%`;
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
