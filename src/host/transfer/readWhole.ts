import { failIfAborted, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import type { ChatSession } from '../chat/chatSession.js';

/** Reads the whole chat. Returns the failure, or null. Throws `cancelled`. */
export async function readOn(session: ChatSession, watch: CopyWatch): Promise<LoupeError | null> {
  failIfAborted(watch.signal, 'export.cancelled');
  const cancel = (): void => {
    session.reading?.cancel();
  };
  const stopListening = session.onChange(() => {
    watch.progress(session.reading?.share ?? 1, 1);
  });
  watch.signal.addEventListener('abort', cancel);
  try {
    await session.whole();
    return null;
  } catch (thrown) {
    const error = toLoupeError(thrown);
    if (error.kind === 'cancelled') {
      throw error;
    }
    return error;
  } finally {
    stopListening();
    watch.signal.removeEventListener('abort', cancel);
  }
}
