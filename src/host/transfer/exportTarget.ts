import type { LoupeError } from '../../engine/errors.js';
import type { WritePiece } from '../../storage/transfer/chatZip.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import type { Chats } from '../chat/chats.js';
import type { SegmentFault } from '../../storage/log/segment.js';

/** Receives an export piece by piece, and watches its progress and cancellation. */
export interface ExportTarget {
  readonly write: WritePiece;
  readonly watch: CopyWatch;
}

export interface ExportContentPorts {
  readonly chats: Pick<Chats, 'exported'>;
  logError(error: LoupeError): void;
}

/** Whole sentences about missing parts of an export. Empty when it is complete. */
export type MissingParts = readonly string[];

/** Returns a sentence about damaged places. A byte order mark is also a fault, but nothing is lost. */
export function damage(faults: readonly Pick<SegmentFault, 'kind'>[]): readonly string[] {
  const places = faults.filter(({ kind }) => kind !== 'bom').length;
  if (places === 0) {
    return [];
  }
  return [
    `${places === 1 ? 'One place' : `${String(places)} places`} in its log could not be read and ${places === 1 ? 'is' : 'are'} missing.`,
  ];
}
