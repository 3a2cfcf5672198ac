import type { ImportLosses } from '../../storage/checkCopy.js';
import type { ChatSession } from './chatSession.js';

/** A chat that was in an exported file, and what of it could not be taken over. */
export interface ImportedFile {
  readonly session: ChatSession;
  readonly losses: ImportLosses;
}
