import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import type { ExportFormat } from '../../../src/host/transfer/exportContent.js';
import { exported } from './exported.js';
import type { Window } from './window.js';

/** The ways to export and import a chat. A folder is an unpacked zip file. */
export const WAYS = ['zip', 'jsonLines', 'folder'] as const;

export type Way = (typeof WAYS)[number];

/** Exports a chat into a new file or folder in `place`. Returns its path. */
export async function exportTo(place: string, session: ChatSession, way: Way, window: Window): Promise<string> {
  const format: ExportFormat = way === 'jsonLines' ? 'jsonLines' : 'zip';
  const { bytes } = await exported(session, format, window, {});
  if (way === 'folder') {
    return unpack(bytes, join(place, 'unpacked'));
  }
  const path = join(place, way === 'zip' ? 'Tides.zip' : 'Tides.jsonl');
  await writeFile(path, bytes);
  return path;
}

export async function filesIn(zip: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const reader = await fromBufferPromise(zip);
  for await (const entry of reader.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await reader.openReadStreamPromise(entry)) {
      pieces.push(piece as Buffer);
    }
    files.set(entry.fileName, Buffer.concat(pieces));
  }
  return files;
}

async function unpack(zip: Buffer, folder: string): Promise<string> {
  await mkdir(join(folder, 'blobs'), { recursive: true });
  for (const [name, bytes] of await filesIn(zip)) {
    await writeFile(join(folder, name), bytes);
  }
  return folder;
}

/** Creates a zip file with these entries. `mode` is the Unix file mode. */
export async function zipOf(
  entries: readonly { readonly name: string; readonly bytes: Buffer; readonly mode?: number }[],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, bytes, mode } of entries) {
    zip.addBuffer(bytes, name, mode === undefined ? {} : { mode });
  }
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) {
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}
