import type { SegmentFault } from '../../storage/log/segment.js';

export interface ChatFault extends SegmentFault {
  /** The place and the reason: `<segment> line 3: <reason>`, without a full stop. */
  readonly text: string;
}

export function faultTexts(faults: readonly SegmentFault[]): readonly ChatFault[] {
  return faults.map((fault) => {
    const { segment, line, reason } = fault;
    return { ...fault, text: `${segment}${line === null ? '' : ` line ${String(line)}`}: ${reason}` };
  });
}
