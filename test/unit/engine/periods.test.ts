import assert from 'node:assert/strict';
import { isIn, partsOf, periodAt, type PeriodUnit } from '../../../src/engine/accounting/periods.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function dates({ from, to }: { readonly from: number; readonly to: number }): string {
  return `${new Date(from).toISOString().slice(0, 10)} to ${new Date(to).toISOString().slice(0, 10)}`;
}

describe('the periods of the usage view', () => {
  it('are days, weeks from Monday on, and months', () => {
    const at = Date.UTC(2026, 10, 22, 23, 59, 59, 999);
    assert.equal(dates(periodAt('day', at)), '2026-11-22 to 2026-11-23');
    assert.equal(dates(periodAt('week', at)), '2026-11-16 to 2026-11-23');
    assert.equal(dates(periodAt('month', at)), '2026-11-01 to 2026-12-01');
    assert.equal(dates(periodAt('week', at + 1)), '2026-11-23 to 2026-11-30');
  });

  it('are those of the calendar on every day of a century and over its ends, and follow each other without a gap', () => {
    for (let day = Date.UTC(1999, 11, 27); day < Date.UTC(2101, 3, 1); day += DAY) {
      const date = new Date(day);
      const month = periodAt('month', day);
      const [from, to] = [Date.UTC(date.getUTCFullYear(), date.getUTCMonth()), Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)];
      assert.ok(month.from === from && month.to === to, date.toISOString());
      const week = periodAt('week', day);
      assert.ok(new Date(week.from).getUTCDay() === 1 && isIn(day, week) && week.to - week.from === 7 * DAY, date.toISOString());
    }
  });

  it('have a bar for each hour, day and week, which together are the whole', () => {
    const bars: readonly (readonly [PeriodUnit, number])[] = [
      ['day', 24],
      ['week', 7],
      ['month', 6],
    ];
    for (const [unit, count] of bars) {
      const period = periodAt(unit, Date.UTC(2026, 10, 22));
      const parts = partsOf(period);
      assert.equal(parts.length, count);
      assert.deepEqual([parts[0]?.from, parts.at(-1)?.to], [period.from, period.to]);
      assert.ok(parts.every(({ from }, at) => at === 0 || from === parts[at - 1]?.to));
    }
    // November 2026 begins with a Sunday and ends with a Monday.
    const weeks = partsOf(periodAt('month', Date.UTC(2026, 10, 22))).map(({ from, to }) => (to - from) / DAY);
    assert.deepEqual(weeks, [1, 7, 7, 7, 7, 1]);
  });
});
