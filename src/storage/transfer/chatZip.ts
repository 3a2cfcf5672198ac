import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ChatEvent } from '../../engine/chat/event.js';
import { failIfAborted } from '../../engine/errors.js';
import { areEndsKnown, blobFiles, readChatEnds } from './chatEnds.js';
import type { CopyWatch } from '../files/copyWatch.js';
import { orIfMissing } from '../files/failure.js';
import { segmentName } from '../files/layout.js';
import { encodeLine } from '../log/line.js';
import { diskFile, type SourceFile } from './sourceFile.js';

export type WritePiece = (bytes: Uint8Array) => Promise<void>;

export interface ZipOptions {
  readonly unsaved: readonly ChatEvent[];
  /** Reads the log, and returns the blobs that its events name. */
  readonly namedBlobs: () => Promise<ReadonlySet<string>>;
  readonly write: WritePiece;
  readonly watch: CopyWatch;
}

/**
 * Writes a chat as a zip file. It contains the segments in `folder`, which may be missing, their blobs, and the
 * `unsaved` events, each in the segment of its writer.
 *
 * Omits lines that are appended in the meantime. Only one piece of a file is
 * in memory at a time. Throws `cancelled`, system errors, and the errors of `namedBlobs` and `write`.
 */
export async function writeChatZip(folder: string, { write, watch, ...contents }: ZipOptions): Promise<void> {
  const sources = await sourcesOf(folder, contents);
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  let read = 0;
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error): void => void output.destroy(error);
  zip.on('error', fail);
  for (const source of sources) {
    const { name, size } = source;
    zip.addReadStreamLazy(name, { size }, (take) => {
      take(
        null,
        Readable.from(source.read(), { objectMode: false })
          .on('error', fail)
          .on('data', ({ length }: Buffer) => (read += length)),
      );
    });
  }
  zip.end();
  for await (const piece of output) {
    failIfAborted(watch.signal, 'export.cancelled');
    await write(piece as Buffer);
    watch.progress(read, total);
  }
}

async function sourcesOf(
  folder: string,
  { unsaved, namedBlobs }: Pick<ZipOptions, 'unsaved' | 'namedBlobs'>,
): Promise<readonly SourceFile[]> {
  const ends = await orIfMissing(readChatEnds(folder, 'thorough', areEndsKnown), null);
  // A blob is written before the line that names it. So blobs are listed after segments, and none is missing.
  const named = await namedBlobs();
  const blobs = (await blobFiles(folder)).filter(({ name }) => named.has(basename(name)));
  const saved = new Map([...(ends?.segments ?? [])].map(([name, { size, completeLines }]) => [name, completeLines ?? size]));
  const newest = new Map(ends?.events.map(({ writer, seq }) => [writer, seq]));
  const left = unsaved.filter(({ writer, seq }) => seq > (newest.get(writer) ?? 0));
  const names = new Set([...saved.keys(), ...left.map(({ writer }) => segmentName(writer))]);
  const segments = [...names].map((name) => {
    const lines = left.filter(({ writer }) => segmentName(writer) === name).map(encodeLine);
    return withLines(diskFile(folder, { name, size: saved.get(name) ?? 0 }), Buffer.concat(lines));
  });
  return [...segments, ...blobs.map((blob) => diskFile(folder, blob))];
}

function withLines(file: SourceFile, lines: Buffer): SourceFile {
  return {
    name: file.name,
    size: file.size + lines.length,
    async *read() {
      yield* file.read();
      if (lines.length > 0) {
        yield lines;
      }
    },
  };
}
