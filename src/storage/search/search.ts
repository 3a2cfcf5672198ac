import type { ChatEvent } from '../../engine/chat/event.js';
import { SEARCHED_TYPES } from '../../engine/chat/rules.js';
import { failIfAborted, type LoupeError } from '../../engine/errors.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { storageError } from '../files/failure.js';
import { RECORD_START, recordsOf } from '../log/line.js';
import { withFile, type RegularFile } from '../files/regularFile.js';
import { Hits, type HitOptions, type SearchHit, searchPattern, type SearchPattern } from './searchHits.js';
import { repliesWithoutMessage, textsOfEvent, type SearchableText } from './searchTexts.js';
import { LINE_FEED, markLength } from '../log/segment.js';
import { segmentSizes, type SegmentSize } from '../log/segmentSizes.js';

/*
 * Searches chats:
 * - Segments are read in chunks of whole lines, newest first. Each chunk is searched once.
 * - Only matching lines are parsed and checked, and only if they are new enough for the list of hits.
 * - Messages that an edit or retry replaced are found, too, because the log contains them.
 * - A reply is found as its message. If a reply has no message, the search joins its pieces.
 * - Only the latest text of an edited summary is searched. The log has all versions, so a match is compared with them.
 */

export interface SearchQuery extends HitOptions {
  /** The searched text. Case is ignored. An empty text matches nothing. */
  readonly text: string;
}

export interface SearchedChat {
  readonly id: string;
  readonly folder: string;
}

export interface SearchResult {
  /** Matches, newest first. */
  readonly hits: readonly SearchHit[];
  /** Chats, or parts of chats, that could not be searched because they are unreadable. */
  readonly failures: readonly SearchFailure[];
}

export interface SearchFailure {
  /** The chat that could not be searched. Null if the chats could not be listed. */
  readonly chatId: string | null;
  readonly error: LoupeError;
}

const LANES = 4;

interface SearchState {
  readonly pattern: SearchPattern;
  readonly hits: Hits;
  readonly failures: SearchFailure[];
  /** Texts that are not in the log yet. */
  readonly unsaved: readonly SearchableText[];
  readonly signal: AbortSignal;
}

/** Searches chats one after another. Several lanes run at the same time, so that some read while others search. */
interface Lane extends SearchState {
  /** The buffer for all reads of the lane, because allocating memory for each read takes time. */
  readonly buffer: Buffer;
}

/** Texts in memory, which are searched in addition to the disk. A text that is also on the disk is found only once. */
export interface SearchedMemory {
  readonly unsaved: readonly SearchableText[];
  /** Returns all texts of a chat that are in memory. Used if a part of the chat's log is unreadable. */
  readonly all: (chatId: string) => readonly SearchableText[];
}

/** Searches the chats and the memory. Throws `cancelled` when the signal aborts. */
export async function searchChats(
  { text, ...options }: SearchQuery,
  chats: readonly SearchedChat[],
  memory: SearchedMemory,
  signal: AbortSignal,
): Promise<SearchResult> {
  if (text === '') {
    return { hits: [], failures: [] };
  }
  const pattern = searchPattern(text);
  const { unsaved } = memory;
  const search: SearchState = { pattern, hits: new Hits(pattern, options), failures: [], unsaved, signal };
  addLatest(unsaved, unsaved, search);
  const waiting = await latestFirst(chats, search);
  const lanes = Array.from({ length: LANES }, async () => {
    const lane = { ...search, buffer: Buffer.allocUnsafe(READ_BYTES) };
    for (let chat = waiting.shift(); chat !== undefined; chat = waiting.shift()) {
      await searchChat(chat, lane);
    }
  });
  // Waits for all lanes, so that no lane reads a file after the end of the search.
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find((lane) => lane.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
  searchUnread(search, memory);
  return { hits: search.hits.list(), failures: search.failures };
}

/** Adds the texts that have no later version in `all`. Only summaries, which users can edit, have several versions. */
function addLatest(texts: readonly SearchableText[], all: readonly SearchableText[], { hits }: SearchState): void {
  for (const said of texts) {
    const isSame = ({ chatId, key }: SearchableText): boolean => chatId === said.chatId && key === said.key;
    if (said.role !== 'summary' || !all.some((other) => isSame(other) && other.seq > said.seq)) {
      hits.add(said);
    }
  }
}

function searchUnread({ hits, failures }: SearchState, memory: SearchedMemory): void {
  const chatIds = new Set(failures.flatMap(({ chatId }) => chatId ?? []));
  for (const said of [...chatIds].flatMap(memory.all)) {
    // A title in memory has no id. Without this check, a title that is also in a readable segment would be found twice.
    if (said.role !== 'title') {
      hits.add(said);
    }
  }
}

interface SegmentsOfChat {
  readonly id: string;
  readonly segments: readonly SegmentSize[];
}

/** Sorts chats by their last change, latest first: the newest hits are probably in the latest chat. */
async function latestFirst(chats: readonly SearchedChat[], search: SearchState): Promise<SegmentsOfChat[]> {
  const found = await Promise.all(chats.map((chat) => segmentsOf(chat, search)));
  const changed = ({ segments }: SegmentsOfChat): number => Math.max(...segments.map(({ mtimeMs }) => mtimeMs));
  return found.toSorted((a, b) => changed(b) - changed(a));
}

async function segmentsOf({ id, folder }: SearchedChat, search: SearchState): Promise<SegmentsOfChat> {
  try {
    return { id, segments: await segmentSizes(folder) };
  } catch (thrown) {
    search.failures.push({ chatId: id, error: storageError(STORAGE_WORK.search(id), thrown) });
    return { id, segments: [] };
  }
}

/**
 * Finds lines that may start or end an attempt; the header of a line decides. They are found in the same pass as the
 * hits, because another pass would take as long. The pattern omits the name `"type"`, which occurs in every line and
 * would make the search slow.
 */
const ATTEMPTS = 'attempt-(?:started|ended)"';

/** The members at the start of every line. */
const HEADER = /^\{"v":\d+,"seq":\d+,"id":"[^"\\]*","at":(\d+(?:\.\d+)?),"type":"([^"\\]*)"/;

/** The outcome of an attempt. If the outcome is in `ANSWERED`, the whole text became a message. */
const OUTCOME = /"outcome":"(\w+)"/;
const ANSWERED = new Set(['complete', 'stopped']);

/** Returns how a line changes the number of attempts without a message: 1, 0 or -1. */
function unansweredBy(line: string, type: string): number {
  if (type === 'attempt-started') {
    return 1;
  }
  return type === 'attempt-ended' && ANSWERED.has(OUTCOME.exec(line)?.[1] ?? '') ? -1 : 0;
}

async function searchChat(chat: SegmentsOfChat, search: Lane): Promise<void> {
  const { hits } = search;
  const pattern = new RegExp(`${search.pattern.inLines.source}|${ATTEMPTS}`, 'gi');
  const summaries: SearchableText[] = [];
  // The sum of all segments, because the end of an attempt may be in the segment of another writer.
  let unanswered = 0;
  const segments = await inChunks(chat, search, (text, writer) => {
    for (const line of matchingLines(text, pattern)) {
      const [header, at, type = ''] = HEADER.exec(line) ?? [];
      // A damaged line can have another header, or several records.
      const isDamaged = header === undefined || line.includes(RECORD_START, 1);
      const mayBeHit = isDamaged || (SEARCHED_TYPES.has(type) && hits.canTake(Number(at)));
      for (const said of mayBeHit ? saidIn(eventsIn(line, writer, search), chat) : []) {
        if (said.role === 'summary') {
          summaries.push(said);
        } else {
          hits.add(said);
        }
      }
      unanswered += unansweredBy(line, type);
    }
  });
  // Segments that could not be read are already reported and are not read again.
  const readable = { ...chat, segments };
  if (summaries.length > 0) {
    addLatest(summaries, [...search.unsaved, ...(await allSummaries(readable, search))], search);
  }
  if (unanswered !== 0) {
    await searchBrokenReplies(readable, search);
  }
}

/** Returns all versions of a chat's summaries. An edited summary is a new event with the same id. */
async function allSummaries(chat: SegmentsOfChat, search: Lane): Promise<readonly SearchableText[]> {
  const all: SearchableText[] = [];
  await inChunks(chat, search, (text, writer) => {
    for (const line of matchingLines(text, /"role":"summary"/g)) {
      all.push(...saidIn(eventsIn(line, writer, search), chat));
    }
  });
  return all;
}

const ATTEMPT_ID = /"attemptId":"([^"\\]*)"/;

/** Adds failed, interrupted and running replies without a message. Reads backwards: a reply's message comes first. */
async function searchBrokenReplies(chat: SegmentsOfChat, search: Lane): Promise<void> {
  const answered = new Set<string>();
  const newestFirst: ChatEvent[] = [];
  await inChunks(chat, search, (text, writer) => {
    for (const line of matchingLines(text, new RegExp(ATTEMPT_ID, 'g'))) {
      const isAnswered = answered.has(ATTEMPT_ID.exec(line)?.[1] ?? '');
      for (const event of isAnswered ? [] : eventsIn(line, writer, search).toReversed()) {
        if (event.type === 'message' && event.message.role === 'assistant') {
          answered.add(event.message.attemptId);
        } else {
          newestFirst.push(event);
        }
      }
    }
  });
  for (const said of repliesWithoutMessage(chat.id, newestFirst.reverse())) {
    search.hits.add(said);
  }
}

/** Returns the lines that match outside of the keys of JSON objects, last line first. */
function matchingLines(text: string, pattern: RegExp): string[] {
  const lines: string[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (text.startsWith('":', pattern.lastIndex)) {
      // The match is at the end of a key. In a text, the quotation mark would have a backslash before it.
      continue;
    }
    const lineFeed = text.indexOf('\n', found.index);
    const end = lineFeed === -1 ? text.length : lineFeed;
    lines.push(text.slice(text.lastIndexOf('\n', found.index) + 1, end));
    pattern.lastIndex = end;
  }
  return lines.reverse();
}

/** Returns the event of a line. For a damaged line: its whole events. */
function eventsIn(line: string, writer: string, { pattern: { encoding } }: SearchState): readonly ChatEvent[] {
  return [...recordsOf(Buffer.from(line, encoding), writer)].flatMap(({ decoded }) => (decoded.ok ? [decoded.event] : []));
}

function saidIn(events: readonly ChatEvent[], { id }: SegmentsOfChat): readonly SearchableText[] {
  return events.map((event) => textsOfEvent(id, event)).filter((said) => said !== null);
}

const READ_BYTES = 512 * 1024;

/** Bytes per text to decode. V8 frees texts below 128 KB at once. To free larger texts takes longer than the search. */
const TEXT_BYTES = 48 * 1024;

/** Passes the lines of all segments to `look` in chunks, last chunk first. Returns the segments that were readable. */
async function inChunks(
  { id, segments }: SegmentsOfChat,
  { pattern, failures, signal, buffer }: Lane,
  look: (text: string, writer: string) => void,
): Promise<readonly SegmentSize[]> {
  const readable: SegmentSize[] = [];
  for (const segment of segments) {
    try {
      await withFile(segment.path, async (file) => {
        for await (const lines of chunksFromEnd(file, buffer)) {
          failIfAborted(signal, 'search.cancelled');
          look(lines.toString(pattern.encoding), segment.writer);
        }
      });
      readable.push(segment);
    } catch (thrown) {
      failIfAborted(signal, 'search.cancelled');
      failures.push({ chatId: id, error: storageError(STORAGE_WORK.searchPart(id), thrown) });
    }
  }
  return readable;
}

/** Yields chunks of whole lines from the end of a file, without a byte order mark. Overwrites the previous chunk. */
async function* chunksFromEnd(file: RegularFile, buffer: Buffer): AsyncGenerator<Buffer, void, void> {
  let own = buffer;
  for (let end = file.size; end > 0; ) {
    const from = Math.max(0, end - own.length);
    const bytes = own.subarray(0, await file.readInto(own.subarray(0, end - from), from));
    if (bytes.length === 0) {
      // The file is shorter than when it was opened.
      end = from;
      continue;
    }
    const start = from === 0 ? markLength(bytes) : bytes.indexOf(LINE_FEED) + 1;
    if (from > 0 && (start === 0 || start === bytes.length)) {
      // The line is longer than the buffer. So it is read again with a buffer of twice the size, only for this file.
      own = Buffer.allocUnsafe(own.length * 2);
      continue;
    }
    for (let to = bytes.length; to > start; ) {
      const first = to - start <= TEXT_BYTES ? start : Math.max(start, bytes.lastIndexOf(LINE_FEED, to - TEXT_BYTES) + 1);
      yield bytes.subarray(first, to);
      to = first;
    }
    end = from === 0 ? 0 : from + start;
  }
}
