import { basename, join } from 'node:path';
import { failure, failIfAborted } from '../../engine/errors.js';
import type { CopyWatch } from '../files/copyWatch.js';
import { withOpen, writeFully, type Files } from '../files/files.js';
import { readRange } from '../files/regularFile.js';

/** A file of a chat to copy. */
export interface SourceFile {
  /** Path relative to the chat's folder. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Yields all bytes in pieces. Throws system errors, and `storage` if the file became shorter. */
  read(): AsyncIterable<Uint8Array>;
}

/** Bytes per read and write: large enough for few system calls, small enough to check for a cancellation often. */
const CHUNK_BYTES = 1_024 * 1_024;

/** Returns the first `size` bytes of the file `name` in `folder` as a file to copy. */
export function diskFile(folder: string, { name, size }: Pick<SourceFile, 'name' | 'size'>): SourceFile {
  return { name, size, read: () => readPieces(join(folder, name), size) };
}

/** Copies files into the folder `to`, and passes each piece to `seen`. An error of `seen` ends the copy. */
export async function copyFiles(
  sources: readonly SourceFile[],
  { to, files, seen }: { readonly to: string; readonly files: Files; readonly seen: (name: string, piece: Uint8Array) => void },
  watch: CopyWatch,
): Promise<void> {
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  let copied = 0;
  const copy = async (source: SourceFile): Promise<void> => {
    await withOpen(files, join(to, source.name), async (target) => {
      let position = 0;
      watch.progress(copied, total);
      for await (const piece of source.read()) {
        failIfAborted(watch.signal, 'import.cancelled');
        seen(source.name, piece);
        await writeFully(target, piece, position);
        position += piece.length;
        copied += piece.length;
        watch.progress(copied, total);
      }
      failIfAborted(watch.signal, 'import.cancelled');
      await target.datasync();
    });
  };
  const blobs = sources.some(({ name }) => name.startsWith('blobs')) ? join(to, 'blobs') : null;
  await (blobs === null ? undefined : files.makeFolder(blobs));
  for (const source of sources) {
    await copy(source);
  }
  await (blobs === null ? undefined : files.syncFolder(blobs));
}

/** Opens the file again for each piece, so that no file stays open if the caller stops reading. */
async function* readPieces(path: string, size: number): AsyncGenerator<Uint8Array, void, void> {
  for (let position = 0; position < size; ) {
    const bytes = await readRange(path, position, Math.min(CHUNK_BYTES, size - position));
    if (bytes.length === 0) {
      throw failure('storage.becameShorter', { name: basename(path) });
    }
    yield bytes;
    position += bytes.length;
  }
}
