import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { exportContent, type ExportFormat } from '../../../src/host/transfer/exportContent.js';
import type { CopyWatch } from '../../../src/storage/files/copyWatch.js';
import type { Window } from './window.js';

export interface Exported {
  readonly bytes: Buffer;
  readonly missing: readonly string[];
}

export async function exported(
  session: ChatSession,
  format: ExportFormat,
  { chats, errors }: Pick<Window, 'chats' | 'errors'>,
  watch: Partial<CopyWatch>,
): Promise<Exported> {
  const pieces: Uint8Array[] = [];
  const write = (piece: Uint8Array): Promise<void> => {
    pieces.push(piece);
    return Promise.resolve();
  };
  const nobody = { signal: new AbortController().signal, progress: () => undefined };
  const ports = { chats, logError: (error: Window['errors'][number]) => errors.push(error) };
  const missing = await exportContent(session, format, ports, { write, watch: { ...nobody, ...watch } });
  return { bytes: Buffer.concat(pieces), missing };
}
