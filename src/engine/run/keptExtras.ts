import type { ReceivedExtra, ReplyExtra } from '../chat/replyExtra.js';
import { toLoupeError } from '../errors.js';
import type { RunInput } from './input.js';

/**
 * What came with a reply as it is logged, with its images as blobs, which are on the disk before the line that names
 * them. An image that cannot be stored is reported, and the log says that it was there.
 */
export async function keptExtras(
  extras: readonly ReceivedExtra[],
  input: Pick<RunInput, 'keepBlob' | 'reportError'>,
): Promise<ReplyExtra[]> {
  const kept: ReplyExtra[] = [];
  for (const extra of extras) {
    kept.push(extra.type === 'source' ? extra : await keptImage(extra, input));
  }
  return kept;
}

async function keptImage(
  { mimeType, bytes }: Extract<ReceivedExtra, { readonly type: 'image' }>,
  { keepBlob, reportError }: Pick<RunInput, 'keepBlob' | 'reportError'>,
): Promise<ReplyExtra> {
  const image = { type: 'image', mimeType, bytes: bytes.length } as const;
  try {
    return { ...image, blob: await keepBlob(bytes) };
  } catch (thrown) {
    reportError(toLoupeError(thrown));
    return { ...image, blob: null };
  }
}
