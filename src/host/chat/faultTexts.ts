import type { SegmentFault } from '../../storage/segment.js';

/** Damaged lines as the panel and the log name them. */
export function faultTexts(faults: readonly SegmentFault[]): readonly string[] {
  return faults.map(({ segment, line, reason }) => `${segment}${line === null ? '' : ` line ${String(line)}`}: ${reason}`);
}
