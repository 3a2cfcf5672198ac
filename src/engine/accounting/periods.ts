/*
 * Days, weeks and months in local time. A local time is UTC plus the offset of the time zone, in milliseconds since the
 * epoch. In local time every day has 24 hours, so clock changes do not matter.
 */

export const PERIOD_UNITS = ['day', 'week', 'month'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** A span of local time. The time `to` is not included. */
export interface LocalSpan {
  readonly from: number;
  readonly to: number;
}

export interface Period extends LocalSpan {
  readonly unit: PeriodUnit;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK_DAYS = 7;
/** 1970-01-01 was a Thursday; weeks begin with Monday. */
const EPOCH_WEEKDAY = 3;

export function periodAt(unit: PeriodUnit, local: number): Period {
  const day = Math.floor(local / DAY);
  switch (unit) {
    case 'day':
      return { unit, ...days(day, day + 1) };
    case 'week': {
      const monday = mondayOf(day);
      return { unit, ...days(monday, monday + WEEK_DAYS) };
    }
    case 'month': {
      const first = firstOfMonth(day);
      // Months have at most 31 days, so 31 days after the first of a month is the next month.
      return { unit, ...days(first, firstOfMonth(first + 31)) };
    }
  }
}

/** Returns the spans of a chart's bars: hours of a day, days of a week, or the weeks of a month within the month. */
export function partsOf({ unit, from, to }: Period): readonly LocalSpan[] {
  switch (unit) {
    case 'day':
      return inSteps({ from, to }, HOUR);
    case 'week':
      return inSteps({ from, to }, DAY);
    case 'month':
      return inSteps({ from: mondayOf(from / DAY) * DAY, to }, WEEK_DAYS * DAY).map((week) => ({
        from: Math.max(from, week.from),
        to: Math.min(to, week.to),
      }));
  }
}

export function isIn(local: number, { from, to }: LocalSpan): boolean {
  return local >= from && local < to;
}

function days(from: number, to: number): LocalSpan {
  return { from: from * DAY, to: to * DAY };
}

function inSteps({ from, to }: LocalSpan, step: number): LocalSpan[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => ({ from: from + at * step, to: from + (at + 1) * step }));
}

function mondayOf(day: number): number {
  const weekday = (day + EPOCH_WEEKDAY) % WEEK_DAYS;
  return day - (weekday < 0 ? weekday + WEEK_DAYS : weekday);
}

const FOUR_YEARS = 1_461;
const CENTURY = 36_524;
const FOUR_CENTURIES = 146_097;
/** Days from 0000-03-01 to 1970-01-01. A year that begins in March has its leap day at the end. */
const DAYS_BEFORE_EPOCH = 719_468;

/** Returns the first day of a month, in days since 1970 (H. Hinnant, "chrono-compatible low-level date algorithms"). */
function firstOfMonth(day: number): number {
  const shifted = day + DAYS_BEFORE_EPOCH;
  const ofEra = shifted - Math.floor(shifted / FOUR_CENTURIES) * FOUR_CENTURIES;
  const leapDays = Math.floor(ofEra / (FOUR_YEARS - 1)) - Math.floor(ofEra / CENTURY) + Math.floor(ofEra / (FOUR_CENTURIES - 1));
  const year = Math.floor((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  // In a year that begins in March, any five consecutive months have 153 days.
  const month = Math.floor((5 * ofYear + 2) / 153);
  return day - (ofYear - Math.floor((153 * month + 2) / 5));
}
