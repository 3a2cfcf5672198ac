import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { isImageType } from '../../../engine/model/imageRules.js';
import type { ReceivedImage } from '../../../engine/model/model.js';
import type { ImagePart } from '../../../engine/model/part.js';
import type { RunInput } from '../../../engine/run/input.js';
import { sha256InBackground } from '../../../storage/files/sha256.js';
import { toolImage } from '../../../tools/imageHeader.js';

interface ReplyImagePorts extends Pick<RunInput, 'keepBlob'> {
  readonly logError: (error: LoupeError) => void;
}

/** A type for content that is no image of the type that the provider names. Requests do not contain such an image. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Stores an image of a reply, with the type and dimensions that its content says. If the image cannot be stored, logs
 * the error and returns the part, because the rest of the reply is paid for. The panel then shows the image as missing.
 */
export async function keepReplyImage(
  { mimeType: named, bytes }: Omit<ReceivedImage, 'index'>,
  { keepBlob, logError }: ReplyImagePorts,
): Promise<ImagePart> {
  const header = await toolImage(bytes);
  const mimeType = isImageType(named) ? UNKNOWN_TYPE : named;
  const image = { type: 'image', bytes: bytes.length, ...(header ?? { mimeType, width: null, height: null }) } as const;
  try {
    return { ...image, blob: await keepBlob(bytes) };
  } catch (thrown) {
    logError(toLoupeError(thrown));
    return { ...image, blob: await sha256InBackground(bytes) };
  }
}
