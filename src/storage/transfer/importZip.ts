import { dirname } from 'node:path/posix';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { failure, LoupeError, failIfAborted } from '../../engine/errors.js';
import { isBlobName } from '../blobs.js';
import type { FillCopy } from './copyChat.js';
import type { CopyWatch } from '../files/copyWatch.js';
import { systemCode } from '../files/failure.js';
import { segmentWriter } from '../files/layout.js';
import { LineGuard } from '../log/lineGuard.js';
import { copyFiles, type SourceFile } from './sourceFile.js';

/** Maximum bytes to unpack from a zip file: far more than any chat. A small malicious file may unpack to much more. */
const MOST_BYTES = 4 * 1_024 ** 3;
const MOST_BYTES_TEXT = '4 GB';

/** Maximum entries, because all names are in memory. A chat of 100,000 messages has a tenth of this in blobs. */
const MOST_ENTRIES = 200_000;
const MOST_ENTRIES_TEXT = '200,000 files';

/** Masks for the Unix mode of an entry: the bits of the file type, and the value for a symbolic link. */
const FILE_TYPE = 0o170000;
const LINK = 0o120000;

/** The beginning of yauzl's errors about an unsafe file name. */
const UNSAFE_NAME = /^(?:invalid relative path|absolute path|invalid characters in fileName): (.*)$/s;

/**
 * Writes only the segments and blobs in a zip file. They may be in a folder, because some users zip a folder. Throws
 * `invalidInput` for a file that is no zip file, is unsafe or unpacks to too much, `cancelled`, and system errors.
 */
export function fillFromZip(path: string, name: string, watch: CopyWatch): FillCopy<number> {
  return (to, files) =>
    readableZip(name, async () => {
      const zip = await openPromise(path, { autoClose: false });
      try {
        const sources = chatIn(await entriesOf(zip, name, watch), name).map(([file, entry]) => sourceOf(zip, file, entry));
        const guard = new LineGuard(name);
        await copyFiles(sources, { to, files, seen: guard.see.bind(guard) }, watch);
        return 0;
      } finally {
        zip.close();
      }
    });
}

/** Runs `work`, and turns errors of yauzl and zlib into `invalidInput`. */
async function readableZip(name: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (thrown) {
    const code = systemCode(thrown);
    if (thrown instanceof LoupeError || !(thrown instanceof Error) || (code !== null && !code.startsWith('Z_'))) {
      throw thrown;
    }
    const entry = UNSAFE_NAME.exec(thrown.message)?.[1];
    throw entry === undefined
      ? failure('import.badZip', { name, reason: plainZipReason(thrown.message) }, { cause: thrown })
      : failure('import.unsafe', { name, entry: JSON.stringify(entry) }, { cause: thrown });
  }
}

function plainZipReason(message: string): string {
  if (message.startsWith('End of central directory')) {
    return 'its end is missing';
  }
  return message.includes('encrypt') ? 'it is encrypted' : 'it is incomplete or damaged';
}

async function entriesOf(zip: ZipFile, name: string, watch: CopyWatch): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > MOST_ENTRIES) {
    throw failure('import.tooLarge', { name, most: MOST_ENTRIES_TEXT });
  }
  const entries = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    failIfAborted(watch.signal, 'import.cancelled');
    if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) {
      throw failure('import.unsafe', { name, entry: JSON.stringify(entry.fileName) });
    }
    bytes += entry.uncompressedSize;
    if (bytes > MOST_BYTES) {
      throw failure('import.tooLarge', { name, most: MOST_BYTES_TEXT });
    }
    if (entries.has(entry.fileName)) {
      throw failure('import.badZip', { name, reason: 'two of its files have the same name' });
    }
    entries.set(entry.fileName, entry);
  }
  return entries;
}

/** Returns segments and blobs by their names in a chat's folder. Throws `invalidInput` for several chats or no chat. */
function chatIn(entries: ReadonlyMap<string, Entry>, name: string): readonly (readonly [string, Entry])[] {
  // `basename` would take the folder `x.jsonl/` for a segment.
  const segments = [...entries.keys()].filter((file) => segmentWriter(file.slice(file.lastIndexOf('/') + 1)) !== null);
  const folders = new Set(segments.map((file) => dirname(file)));
  const [folder, ...others] = [...folders].filter((each) => !each.startsWith('__MACOSX'));
  if (folder === undefined || others.length > 0) {
    throw failure('import.foreign', { name });
  }
  const root = folder === '.' ? '' : `${folder}/`;
  return [...entries].flatMap(([file, entry]) => {
    const inside = file.startsWith(root) ? file.slice(root.length) : '';
    return segmentWriter(inside) !== null || (inside.startsWith(BLOBS) && isBlobName(inside.slice(BLOBS.length)))
      ? [[inside, entry] as const]
      : [];
  });
}

const BLOBS = 'blobs/';

/** Returns an entry as a file to copy. yauzl throws if the unpacked size is not the declared size. */
function sourceOf(zip: ZipFile, name: string, entry: Entry): SourceFile {
  return {
    name,
    size: entry.uncompressedSize,
    async *read() {
      for await (const piece of await zip.openReadStreamPromise(entry)) {
        yield piece as Buffer;
      }
    },
  };
}
