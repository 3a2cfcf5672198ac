import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../../engine/chat/event.js';
import { logOrder } from '../../engine/chat/order/order.js';
import { failure } from '../../engine/errors.js';
import { isBlobName } from '../blobs.js';
import { orIfMissing } from '../files/failure.js';
import { segmentWriter } from '../files/layout.js';
import { withFile } from '../files/regularFile.js';
import { readSegment } from '../log/segment.js';

/*
 * Reads the head and the tail of a chat's segments without the middle. The head has the line that created the chat, the
 * line that imported the chat and the first message. The tail has the latest title and the highest sequence number.
 */

export interface SegmentGlance {
  /** Size of the segment in bytes. */
  readonly size: number;
  /** The end of the last whole line, in bytes. Null if the last line is longer than the bytes that were read. */
  readonly completeLines: number | null;
  /** Whether the highest sequence number is known. Sequence numbers grow within a segment. */
  readonly isPlaced: boolean;
}

export interface ChatEnds {
  /** The events of heads and tails, in log order. */
  readonly events: readonly ChatEvent[];
  /** The events of the heads, in log order. All earlier events of their segments were read, too. */
  readonly first: readonly ChatEvent[];
  readonly segments: ReadonlyMap<string, SegmentGlance>;
  readonly isNewer: boolean;
  /** Whether head and tail overlap in every segment, so that the whole chat was read. */
  readonly isWhole: boolean;
  /** The time of the last write to a segment in epoch milliseconds; 0 without a segment. */
  readonly updatedAt: number;
}

/** Length of head and tail in bytes. 16 KiB take a third of the time of 64 KiB, and are enough for most chats. */
const SHORT_END = 16 * 1_024;
/** Length for the second attempt, in bytes: a first message may follow a long system prompt and some files. */
const LONG_END = 256 * 1_024;
/** Length for the third attempt, in bytes: a first message may follow many files. */
const LONGEST_END = 4 * 1_024 * 1_024;

/** Lengths of head and tail in successive attempts, in bytes. The last attempt of `thorough` reads whole segments. */
const LOOKS = { glance: [SHORT_END, LONG_END, LONGEST_END], thorough: [SHORT_END, LONGEST_END, Infinity] } as const;

/**
 * Reads the head and the tail of a chat's segments. Reads more bytes until `enough` returns true. A `glance` reads at
 * most 4 MiB of each head and tail. Throws Node's system errors.
 */
export async function readChatEnds(folder: string, look: keyof typeof LOOKS, enough: (ends: ChatEnds) => boolean): Promise<ChatEnds> {
  const [first, ...more] = LOOKS[look];
  let ends = await readEnds(folder, first);
  for (const bytes of more) {
    if (ends.isWhole || enough(ends)) {
      break;
    }
    ends = await readEnds(folder, bytes);
  }
  return ends;
}

export interface FoundFile {
  /** Path relative to the chat's folder. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Returns the segments of a chat. Throws the errors of `foundFiles`. */
export async function segmentFiles(folder: string): Promise<readonly FoundFile[]> {
  return foundFiles(folder, (await readdir(folder)).filter((name) => segmentWriter(name) !== null).sort());
}

/** Returns the sizes of a chat's files. Throws `storage` if one is not a regular file, and Node's system errors. */
export async function foundFiles(folder: string, names: readonly string[]): Promise<readonly FoundFile[]> {
  return Promise.all(
    names.map(async (name) => {
      const stats = await stat(join(folder, name));
      if (!stats.isFile()) {
        throw failure('storage.notRegular', { name, folder });
      }
      return { name, size: stats.size };
    }),
  );
}

/** Returns the blobs of a chat. Call this after `segmentFiles`: a blob is written before the line that names it. */
export async function blobFiles(folder: string): Promise<readonly FoundFile[]> {
  const names = (await orIfMissing(readdir(join(folder, 'blobs')), [])).filter(isBlobName);
  return foundFiles(
    folder,
    names.map((name) => join('blobs', name)),
  );
}

/** Whether the end of the last whole line and the highest sequence number are known for each segment. */
export function areEndsKnown({ segments }: ChatEnds): boolean {
  return [...segments.values()].every(({ completeLines, isPlaced }) => completeLines !== null && isPlaced);
}

/** Returns the ids of a chat, oldest first: the first id, then one per import. Empty if the first line is missing. */
export function chatLineage(events: readonly ChatEvent[]): readonly string[] {
  const created = events.find((event) => event.type === 'chat-created');
  const imports = events.flatMap((event) => (event.type === 'imported' ? [event.chatId] : []));
  return created?.type === 'chat-created' ? [created.chatId, ...imports] : [];
}

/** Returns the folder URIs of a chat from its last import, or else from its creation. `events` are in log order. */
export function chatFolders(events: readonly ChatEvent[]): readonly string[] {
  return events.findLast((event) => 'folders' in event)?.folders ?? [];
}

async function readEnds(folder: string, bytes: number): Promise<ChatEnds> {
  const files = await segmentFiles(folder);
  const parts = await Promise.all(files.map(({ name }) => readSegmentEnds(folder, name, bytes)));
  return {
    events: logOrder(parts.flatMap(({ events }) => events)),
    first: logOrder(parts.flatMap(({ first }) => first)),
    segments: new Map(parts.map(({ name, glance }) => [name, glance])),
    isNewer: parts.some(({ isNewer }) => isNewer),
    isWhole: parts.every(({ isWhole }) => isWhole),
    updatedAt: Math.max(0, ...parts.map(({ updatedAt }) => updatedAt)),
  };
}

interface SegmentEnds extends Pick<ChatEnds, 'events' | 'first' | 'isNewer' | 'isWhole' | 'updatedAt'> {
  readonly name: string;
  readonly glance: SegmentGlance;
}

function readSegmentEnds(folder: string, name: string, length: number): Promise<SegmentEnds> {
  return withFile(join(folder, name), async (file) => {
    const { size, mtimeMs } = file;
    const isWhole = size <= 2 * length;
    const tailStart = isWhole ? 0 : size - length;
    const tail = await file.bytes(tailStart, size - tailStart);
    const head = isWhole ? Buffer.alloc(0) : await file.bytes(0, length);
    const writer = segmentWriter(name) ?? '';
    const begin = readSegment(head, writer);
    const { events, faults, end } = readSegment(tail, writer);
    const isKnown = isWhole || end.lines > 0;
    const completeLines = tailStart + (end.unended === null ? end.offset : tail.length);
    return {
      name,
      glance: { size, completeLines: isKnown ? completeLines : null, isPlaced: isWhole || events.length > 0 },
      events: [...begin.events, ...events],
      first: isWhole ? events : begin.events,
      isNewer: [...begin.faults, ...faults].some(({ kind }) => kind === 'newer' || kind === 'unknownType'),
      isWhole,
      updatedAt: mtimeMs,
    };
  });
}
