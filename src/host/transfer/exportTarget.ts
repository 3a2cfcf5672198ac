import type { LoupeError } from '../../engine/errors.js';
import type { WritePiece } from '../../storage/transfer/chatZip.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import type { Chats } from '../chat/chats.js';

/** Takes an export piece by piece, and follows it. */
export interface ExportTarget {
  readonly write: WritePiece;
  readonly watch: CopyWatch;
}

export interface ExportContentPorts {
  readonly chats: Pick<Chats, 'exported'>;
  logError(error: LoupeError): void;
}

/** What is missing in an export, as whole sentences; empty when nothing is. */
export type Missing = readonly string[];
