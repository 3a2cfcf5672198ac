import type { FileHandle } from 'node:fs/promises';
import { openFile } from './regularFile.js';

/** `length` bytes from `position` on, fewer where the file ends. Throws Node's system errors. */
export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) {
      // The file ends here, perhaps because it was cut while it was read.
      break;
    }
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** The same of the file at `path`. Throws also what `openFile` does. */
export async function readRange(path: string, position: number, length: number): Promise<Buffer> {
  const file = await openFile(path);
  try {
    return await readBytes(file, position, length);
  } finally {
    await file.close();
  }
}
