import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import { MOST_IMAGE_BYTES, type DrawnType, type ShownImage } from '../../protocol/images.js';
import type { ChatSession } from '../chat/chatSession.js';

const BYTES_PER_MB = 1024 * 1024;

/** Reads an image of a chat for its panel. Never rejects: the answer says why an image is missing. */
export async function shownImage(
  session: Pick<ChatSession, 'id' | 'blob'>,
  { blob, mimeType }: { readonly blob: string; readonly mimeType: DrawnType },
  logError: (error: LoupeError) => void,
): Promise<ShownImage> {
  const image = { type: 'image', chatId: session.id, blob } as const;
  try {
    const bytes = await session.blob(blob);
    return bytes.length > MOST_IMAGE_BYTES
      ? { ...image, url: null, problem: `It is larger than ${String(MOST_IMAGE_BYTES / BYTES_PER_MB)} MB, the most that the panel draws.` }
      : { ...image, url: `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`, problem: null };
  } catch (thrown) {
    const error = toLoupeError(thrown);
    logError(error);
    return { ...image, url: null, problem: error.message };
  }
}
