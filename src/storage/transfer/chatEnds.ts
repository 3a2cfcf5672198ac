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
 * Reads the head and the tail of a chat's segments without the middle. The head holds the line that created the chat,
 * the line that imported it and the first message. The tail holds the latest title and the highest sequence number.
 */

export interface SegmentGlance {
  /** In bytes. */
  readonly size: number;
  /** Offset of the end of the last whole line in bytes. Null when the last line is longer than the bytes read. */
  readonly completeLines: number | null;
  /** Whether the events read include the highest sequence number. The numbers grow within a segment. */
  readonly isPlaced: boolean;
}

export interface ChatEnds {
  /** The events of heads and tails, in log order. */
  readonly events: readonly ChatEvent[];
  /** The events of the heads only, with nothing unread before them; in log order. */
  readonly first: readonly ChatEvent[];
  /** By file name. */
  readonly segments: ReadonlyMap<string, SegmentGlance>;
  readonly isNewer: boolean;
  /** Whether head and tail meet, so that every segment was read whole. */
  readonly isWhole: boolean;
  /** Epoch milliseconds of the last write to a segment; 0 without one. */
  readonly updatedAt: number;
}

/** Length of head and tail in bytes. Reading 16 KiB takes a third of the time of 64 KiB and suffices for most chats. */
const SHORT_END = 16 * 1_024;
/** For the second try: a first message may follow a long system prompt and some files. */
const LONG_END = 256 * 1_024;
/** For the third try: many files. */
const LONGEST_END = 4 * 1_024 * 1_024;

/** Length of head and tail per try, in bytes. The last try of `thorough` reads each segment whole. */
const LOOKS = { glance: [SHORT_END, LONG_END, LONGEST_END], thorough: [SHORT_END, LONGEST_END, Infinity] } as const;

/**
 * Reads the head and the tail of a chat's segments, and longer ones until there is `enough`.
 * A `glance` stops after 4 MiB of each. Throws Node's system errors.
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
  /** Relative to the chat's folder. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** Returns the segments of a chat. Throws the errors of `foundFiles`. */
export async function segmentFiles(folder: string): Promise<readonly FoundFile[]> {
  return foundFiles(folder, (await readdir(folder)).filter((name) => segmentWriter(name) !== null).sort());
}

/**
 * Returns the sizes of a chat's files. Throws `storage` for one that is not a regular file, because skipping it would
 * silently lose a part of the chat. Throws Node's system errors.
 */
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

/** Returns the blobs of a chat. Call after sizing the segments: a blob is written before the line that names it. */
export async function blobFiles(folder: string): Promise<readonly FoundFile[]> {
  const names = (await orIfMissing(readdir(join(folder, 'blobs')), [])).filter(isBlobName);
  return foundFiles(
    folder,
    names.map((name) => join('blobs', name)),
  );
}

/** Whether the end of the last whole line and the highest sequence number of each segment are known. */
export function areEndsKnown({ segments }: ChatEnds): boolean {
  return [...segments.values()].every(({ completeLines, isPlaced }) => completeLines !== null && isPlaced);
}

/** Returns all ids of a chat, oldest first: at its creation, then per import. Empty when its first line is missing. */
export function chatLineage(events: readonly ChatEvent[]): readonly string[] {
  const created = events.find((event) => event.type === 'chat-created');
  const imports = events.flatMap((event) => (event.type === 'imported' ? [event.chatId] : []));
  return created?.type === 'chat-created' ? [created.chatId, ...imports] : [];
}

/** Returns the folder URIs of a chat: of its last import, or else its creation. Takes events in log order. */
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
