import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatEvent } from '../engine/chat/event.js';
import { logOrder } from '../engine/chat/order.js';
import { failure } from '../engine/errors.js';
import { segmentWriter } from './layout.js';
import { withFile } from './regularFile.js';
import { readSegment } from './segment.js';

/*
 * What the begins and the ends of a chat's segments tell, whatever lies between. The line that created the chat, the
 * one that imported it and the first message are at a begin; the latest title and the highest sequence number are at
 * an end. Nothing is derived from it that would have to be kept.
 */

/** What is known of a segment by its ends. */
export interface SegmentGlance {
  /** In bytes. */
  readonly size: number;
  /**
   * Where its last whole line ends, in bytes: behind it is only what its writer was writing when it was read, or
   * killed. Null when that line is longer than what was read.
   */
  readonly wholeLines: number | null;
  /** Whether the highest sequence number of its events is among those that were read: the numbers grow within it. */
  readonly isPlaced: boolean;
}

export interface ChatEnds {
  /** Those of both ends, in log order. */
  readonly events: readonly ChatEvent[];
  /** Those among them with nothing unread in front of them in their segment, in log order. */
  readonly first: readonly ChatEvent[];
  /** By file name. */
  readonly segments: ReadonlyMap<string, SegmentGlance>;
  /** Whether a line of a newer version was among them. */
  readonly isNewer: boolean;
  /** Whether the ends meet, so that nothing lies between. */
  readonly isWhole: boolean;
  /** Epoch milliseconds of the last write to a segment; 0 without one. */
  readonly updatedAt: number;
}

/** Of each end: it takes a third of the time of 64 KiB, and holds what is looked for in most chats. */
const SHORT_END = 16 * 1_024;
/** The second look, for what is put in front of a first message: a long system prompt, some files. */
const LONG_END = 256 * 1_024;
/** The third look, for many files. */
const LONGEST_END = 4 * 1_024 * 1_024;

/** Bytes of each end, look by look; the last one of a thorough reading takes a segment whole. */
const LOOKS = { glance: [SHORT_END, LONG_END, LONGEST_END], thorough: [SHORT_END, LONGEST_END, Infinity] } as const;

/**
 * Reads the ends of a chat's segments, and more of them until there is `enough`. A `glance` gives what it has after
 * 4 MiB of each end. Throws Node's system errors.
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

/** A file of a chat. */
export interface FoundFile {
  /** From the chat's folder. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** The segments of a chat. Throws as `foundFiles` does. */
export async function segmentFiles(folder: string): Promise<readonly FoundFile[]> {
  return foundFiles(folder, (await readdir(folder)).filter((name) => segmentWriter(name) !== null).sort());
}

/**
 * Looks at files of a chat. Throws `storage` when one of them is no regular file: without it the chat would not be
 * whole, and nothing would say so. Throws Node's system errors.
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

/**
 * The ids that a chat has had: the one it was created with, then one for each time it was imported. The last one is
 * its own. Empty when the line that created it is not there.
 */
export function chatLineage(events: readonly ChatEvent[]): readonly string[] {
  const created = events.find((event) => event.type === 'chat-created');
  const imports = events.flatMap((event) => (event.type === 'imported' ? [event.chatId] : []));
  return created?.type === 'chat-created' ? [created.chatId, ...imports] : [];
}

/**
 * URIs of the workspace folders that a chat belongs to: those of where it was imported last, or else made. Takes events
 * in log order.
 */
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
    const wholeLines = tailStart + (end.unended === null ? end.offset : tail.length);
    return {
      name,
      glance: { size, wholeLines: isKnown ? wholeLines : null, isPlaced: isWhole || events.length > 0 },
      events: [...begin.events, ...events],
      first: isWhole ? events : begin.events,
      isNewer: [...begin.faults, ...faults].some(({ kind }) => kind === 'newer' || kind === 'unknownType'),
      isWhole,
      updatedAt: mtimeMs,
    };
  });
}
