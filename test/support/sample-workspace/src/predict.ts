import type { Reading } from './gauge.js';

/** The mean time between two high waters. */
const TIDE_PERIOD_MINUTES = 745;

export interface HighWater {
  readonly atUtc: Date;
  readonly heightM: number;
}

/** The highest reading of the last tide, moved on by one period. */
export function nextHighWater(readings: readonly Reading[]): HighWater | undefined {
  const last = readings.at(-1);
  if (last === undefined) return undefined;
  const since = last.atUtc.getTime() - TIDE_PERIOD_MINUTES * 60_000;
  const tide = readings.filter((reading) => reading.atUtc.getTime() > since);
  const highest = tide.reduce((best, reading) => (reading.heightM > best.heightM ? reading : best), last);
  return {
    atUtc: new Date(highest.atUtc.getTime() + TIDE_PERIOD_MINUTES * 60_000),
    heightM: highest.heightM,
  };
}
