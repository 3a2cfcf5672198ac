/** One measurement of a tide gauge. */
export interface Reading {
  readonly atUtc: Date;
  readonly heightM: number;
}

const SILENT_AFTER_MINUTES = 30;

/** Parses lines of the form `2026-03-01T12:00:00Z;1.42`; skips damaged ones. */
export function parseReadings(text: string): Reading[] {
  const readings: Reading[] = [];
  for (const line of text.split('\n')) {
    const [time, height] = line.trim().split(';');
    const atUtc = new Date(time ?? '');
    const heightM = Number(height);
    if (Number.isNaN(atUtc.getTime()) || Number.isNaN(heightM)) continue;
    readings.push({ atUtc, heightM });
  }
  return readings;
}

/** Whether a station has stopped sending. */
export function isSilent(readings: readonly Reading[], nowUtc: Date): boolean {
  const last = readings.at(-1);
  if (last === undefined) return true;
  return nowUtc.getTime() - last.atUtc.getTime() > SILENT_AFTER_MINUTES * 60_000;
}
