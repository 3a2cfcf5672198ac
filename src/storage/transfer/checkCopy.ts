import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ChatEvent } from '../../engine/chat/event.js';
import { failure, failIfAborted } from '../../engine/errors.js';
import { isBlobName } from '../blobs.js';
import { blobFiles } from './chatEnds.js';
import type { FilledCopy } from './copyChat.js';
import { partOf, type CopyWatch } from '../files/copyWatch.js';
import { LogMerge } from '../log/logMerge.js';
import type { LineFault } from '../log/line.js';
import { diskFile, type SourceFile } from './sourceFile.js';

/** The parts of a chat that an import could not copy. */
export interface ImportLosses {
  /** Number of log lines that were cut or damaged. */
  readonly lines: number;
  /** Number of images and large texts in the log that were missing or damaged. */
  readonly contents: number;
}

const NEWER: ReadonlySet<string> = new Set<LineFault>(['newer', 'unknownType']);

/** Highest sequence number in a log: more than any log has lines, and far below the numbers that lose precision. */
const MOST_SEQ = 2 ** 40;

/** The share of the progress for checking blobs. The rest is for checking the log. */
const BLOB_SHARE = 0.2;

/**
 * Checks the copy of a chat in the folder `to`, and removes damaged blobs. `name`: the exported file. `lostLines`: the
 * number of lines that were not copied. Throws `invalidInput` for a newer or forged chat or without a chat, and also
 * `cancelled` and system errors.
 */
export async function checkCopy(
  to: string,
  { name, lostLines }: { readonly name: string; readonly lostLines: number },
  watch: CopyWatch,
): Promise<FilledCopy<ImportLosses>> {
  const whole = await wholeBlobs(to, partOf(watch, 0, BLOB_SHARE));
  const log = await readNames(to, partOf(watch, BLOB_SHARE, 1));
  if (log.isNewer) {
    throw failure('import.newer');
  }
  if (log.events === 0 || log.lastSeq > MOST_SEQ) {
    throw failure('import.foreign', { name });
  }
  if (!log.isBegun) {
    throw failure('import.noBeginning', { name });
  }
  const contents = [...log.named].filter((each) => !whole.has(each)).length;
  return { result: { lines: lostLines + log.faults, contents }, lastSeq: log.lastSeq };
}

/** Returns the names of the undamaged blobs: the SHA-256 of their content is their name. Removes other blobs. */
async function wholeBlobs(folder: string, watch: CopyWatch): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  const blobs = await blobFiles(folder);
  for (const [at, blob] of blobs.entries()) {
    failIfAborted(watch.signal, 'import.cancelled');
    const sha = basename(blob.name);
    if ((await sha256Of(diskFile(folder, blob))) === sha) {
      whole.add(sha);
    } else {
      await rm(join(folder, blob.name));
    }
    watch.progress(at + 1, blobs.length);
  }
  return whole;
}

async function sha256Of(file: SourceFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of file.read()) {
    hash.update(piece);
  }
  return hash.digest('hex');
}

interface LogNames {
  readonly events: number;
  /** The highest sequence number. A forged log can have it in any line. */
  readonly lastSeq: number;
  /** Number of lines without a usable event. */
  readonly faults: number;
  /** Whether the log contains the event that creates the chat. */
  readonly isBegun: boolean;
  readonly isNewer: boolean;
  readonly named: ReadonlySet<string>;
}

async function readNames(folder: string, watch: CopyWatch): Promise<LogNames> {
  const merge = await LogMerge.open(folder, null);
  const named = new Set<string>();
  let events = 0;
  let lastSeq = 0;
  let isBegun = false;
  while (await merge.fill()) {
    failIfAborted(watch.signal, 'import.cancelled');
    for (let event = merge.take(); event !== null; event = merge.take()) {
      events += 1;
      lastSeq = Math.max(lastSeq, event.seq);
      isBegun ||= event.type === 'chat-created';
      addBlobNames(event, named);
    }
    watch.progress(merge.taken, merge.length);
  }
  const { faults: byWriter, unfinished } = merge.rest();
  const faults = [...[...byWriter.values()].flat(), ...unfinished.values()].filter(({ kind }) => kind !== 'bom');
  return { events, lastSeq, faults: faults.length, isBegun, isNewer: faults.some(({ kind }) => NEWER.has(kind)), named };
}

/** Adds the names of the blobs in an event. Uses no recursion, because an untrusted line may be nested too deeply. */
function addBlobNames(event: ChatEvent, names: Set<string>): void {
  const left: unknown[] = [event];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) {
      continue;
    }
    for (const [key, member] of Object.entries(value)) {
      if (key === 'blob' && typeof member === 'string' && isBlobName(member)) {
        names.add(member);
      } else if (key !== 'args') {
        // Skips the arguments of tool calls, because a model may write any text there.
        left.push(member);
      }
    }
  }
}
