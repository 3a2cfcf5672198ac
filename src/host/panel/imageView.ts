import type { ImagePart } from '../../engine/chat/message.js';
import type { ImageView } from '../../protocol/userEntry.js';

export function imageView({ blob, mimeType, bytes, width, height }: ImagePart): ImageView {
  return { blob, mimeType, bytes, width, height };
}
