import type { LoupeError } from '../../engine/errors.js';
import type { WritePiece } from '../../storage/transfer/chatZip.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import type { Chats } from '../chat/chats.js';

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
