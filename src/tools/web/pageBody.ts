import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { failure } from '../../engine/errors.js';

export interface BodyLimits {
  /** Maximum size, both as sent and without compression. */
  readonly bytes: number;
}

const MEBIBYTE = 1024 * 1024;

/** Reads the body of a response and removes its compression. Ends the connection as soon as a limit is exceeded. */
export async function bodyOf(response: IncomingMessage, host: string, { bytes }: BodyLimits, signal: AbortSignal): Promise<Uint8Array> {
  const tooLarge = (): Error => failure('page.tooLarge', { host, megabytes: bytes / MEBIBYTE });
  if (Number(response.headers['content-length'] ?? 0) > bytes) {
    response.destroy();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  try {
    await pipeline(
      response,
      countedUpTo(bytes, tooLarge),
      decoderOf(response.headers['content-encoding']),
      countedUpTo(bytes, tooLarge),
      async (source: AsyncIterable<Uint8Array>) => {
        for await (const chunk of source) {
          chunks.push(chunk);
        }
      },
      { signal },
    );
  } catch (thrown) {
    throw isBadCompression(thrown) ? failure('page.unreadable', { host }, { cause: thrown }) : thrown;
  }
  return Buffer.concat(chunks);
}

/** Passes on all data until there is more than `most`, then fails. */
function countedUpTo(most: number, tooLarge: () => Error): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  return async function* counted(source) {
    let length = 0;
    for await (const chunk of source) {
      length += chunk.length;
      if (length > most) {
        throw tooLarge();
      }
      yield chunk;
    }
  };
}

function decoderOf(encoding: string | undefined): Transform {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      return new PassThrough();
  }
}

function isBadCompression(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(thrown.code)
  );
}
