import type { LoupeError } from '../../engine/errors.js';
import type { WritePiece } from '../../storage/transfer/chatZip.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import type { Chats } from '../chat/chats.js';
import type { SegmentFault } from '../../storage/log/segment.js';

/** Where an export writes its pieces and reports its progress, and how the user cancels it. */
export interface ExportTarget {
  readonly write: WritePiece;
  readonly watch: CopyWatch;
}

export interface ExportContentPorts {
  readonly chats: Pick<Chats, 'exported'>;
  logError(error: LoupeError): void;
}

/** Sentences about the missing parts of an export. Empty for a complete export. */
export type MissingParts = readonly string[];

/** Returns a sentence about damaged lines of the log. Ignores a byte order mark, which causes no loss. */
export function damage(faults: readonly Pick<SegmentFault, 'kind'>[]): readonly string[] {
  const places = faults.filter(({ kind }) => kind !== 'bom').length;
  if (places === 0) {
    return [];
  }
  return [
    `${places === 1 ? '1 damaged place' : `${String(places)} damaged places`} of the log ${places === 1 ? 'is' : 'are'} missing in the export.`,
  ];
}
