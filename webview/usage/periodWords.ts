import type { PeriodUnit, UsageBar, UsagePeriod } from '../../src/protocol/usage/usage.js';

/* Names of periods. Local times are stored as if they were UTC, see src/protocol/usage/usage.ts. */

function format(options: Intl.DateTimeFormatOptions): (local: number) => string {
  const own = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  // Some versions of the locale data add a comma after the day of the week.
  return (local) => own.format(local).replaceAll(',', '');
}

const DAY = format({ day: 'numeric' });
const DAY_MONTH = format({ day: 'numeric', month: 'short' });
const DATE = format({ day: 'numeric', month: 'short', year: 'numeric' });
const MONTH = format({ month: 'long', year: 'numeric' });
const WEEKDAY = format({ weekday: 'short' });
const TIME = format({ hour: '2-digit', minute: '2-digit', hour12: false });
const YEAR = format({ year: 'numeric' });
const MONTH_YEAR = format({ month: 'numeric', year: 'numeric' });

const WHOLE_DAY = 86_400_000;

/** Returns the name of a period: `Thu 19 Nov 2026`, `16 to 22 Nov 2026`, `November 2026`. */
export function periodName({ unit, from, to }: Pick<UsagePeriod, 'unit' | 'from' | 'to'>): string {
  switch (unit) {
    case 'day':
      return `${WEEKDAY(from)} ${DATE(from)}`;
    case 'week': {
      const last = to - WHOLE_DAY;
      return `${YEAR(from) === YEAR(last) ? shortBegin(from, last) : DATE(from)} to ${DATE(last)}`;
    }
    case 'month':
      return MONTH(from);
  }
}

/** Returns the period for use in a sentence: `this week`, `from 16 to 22 Nov 2026`. */
export function periodInSentence(period: UsagePeriod): string {
  if (period.isCurrent) {
    return { day: 'today', week: 'this week', month: 'this month' }[period.unit];
  }
  const before: Readonly<Record<PeriodUnit, string>> = { day: 'on', week: 'from', month: 'in' };
  return `${before[period.unit]} ${periodName(period)}`;
}

/** Returns the label below a bar: `14`, `Thu 19`, `2 to 8`. */
export function barLabel(unit: PeriodUnit, { from, to }: Pick<UsageBar, 'from' | 'to'>): string {
  switch (unit) {
    case 'day':
      return TIME(from).slice(0, 2);
    case 'week':
      return `${WEEKDAY(from)} ${DAY(from)}`;
    case 'month':
      return to - from === WHOLE_DAY ? DAY(from) : `${DAY(from)} to ${DAY(to - WHOLE_DAY)}`;
  }
}

/** Returns the full name of a bar's period: `14:00 to 15:00`, `Thu 19 Nov`, `2 to 8 Nov`. */
export function barName(unit: PeriodUnit, { from, to }: Pick<UsageBar, 'from' | 'to'>): string {
  switch (unit) {
    case 'day':
      return `${TIME(from)} to ${TIME(to)}`;
    case 'week':
      return `${WEEKDAY(from)} ${DAY_MONTH(from)}`;
    case 'month':
      return to - from === WHOLE_DAY ? DAY_MONTH(from) : `${DAY(from)} to ${DAY_MONTH(to - WHOLE_DAY)}`;
  }
}

/** Formats the time of a request: `22 Nov 01:31`. */
export function requestTime(local: number): string {
  return `${DAY_MONTH(local)} ${TIME(local)}`;
}

function shortBegin(from: number, last: number): string {
  return MONTH_YEAR(from) === MONTH_YEAR(last) ? DAY(from) : DAY_MONTH(from);
}
