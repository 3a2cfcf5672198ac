import type { SentMessage } from '../chat/message.js';
import type { Pause } from '../ports.js';
import type { BlockFactory } from './blockFactory.js';
import type { ResultTexts } from './resultText.js';

/** Parts that are hashed and counted between two pauses: some milliseconds. */
const AT_ONCE = 100;

/**
 * Measures what no request has held yet, with pauses: a reply may have thousands of calls or millions of characters, and a request that measures them all
 * holds up everything else. What `results` lacks is measured where it is needed, as a note.
 */
export async function measureParts(
  messages: readonly SentMessage[],
  results: ResultTexts,
  factory: BlockFactory,
  pause: Pause,
): Promise<void> {
  let made = 0;
  for (const { id: messageId, role, parts } of messages) {
    for (const [index, part] of parts.entries()) {
      if (!factory.hasMeasured(part)) {
        await factory.measureMessage({ messageId, index, role, part }, results, pause);
        made += 1;
        if (made % AT_ONCE === 0) {
          await pause();
        }
      }
    }
  }
}
