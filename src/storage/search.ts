import { refuseAborted, type LoupeError } from '../engine/errors.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { storageError } from './failure.js';
import { decodeLine } from './line.js';
import { withFile, type RegularFile } from './regularFile.js';
import { brokenReplies } from './searchAttempts.js';
import { ChunkReader } from './searchChunks.js';
import { Hits, type HitOptions, type SearchHit } from './searchHits.js';
import { LineReader } from './searchLines.js';
import { searchPattern, type SearchPattern } from './searchPattern.js';
import { scanSegment, type Scanned } from './searchScan.js';
import { isLatest, summariesIn } from './searchSummaries.js';
import { saidInEvent, type Said } from './searchTexts.js';
import { segmentSizes, type SegmentSize } from './segmentSizes.js';

/*
 * Search over chats. It reads their segments as bytes, in chunks. Most lines cannot match and are never parsed. Lines
 * that may match are parsed and their checksums checked, newest first, until no older line can be among the hits.
 * Messages that an edit or a retry has replaced are found, too: the log keeps them, and search is the way to them. A
 * reply is searched as its message. A broken-off reply has no message, and is put together from its pieces, only in
 * chats that have one. Of a summary that was edited only the text that it has now is found: the log holds the others as
 * well, so where one matches, the summaries of its chat are compared.
 */

export interface SearchQuery extends HitOptions {
  /** Compared without case; an empty text matches nothing. */
  readonly text: string;
}

export interface SearchedChat {
  readonly id: string;
  readonly folder: string;
}

export interface SearchResult {
  /** Newest first. */
  readonly hits: readonly SearchHit[];
  /** Chats or parts of chats that could not be read, and so were not searched. */
  readonly failures: readonly SearchFailure[];
}

export interface SearchFailure {
  /** Null when the chats could not be listed. */
  readonly chatId: string | null;
  readonly error: LoupeError;
}

/** Chats searched at the same time: one is read from the disk while others are searched. */
const CHATS_AT_ONCE = 4;

interface Search {
  readonly pattern: SearchPattern;
  readonly hits: Hits;
  readonly failures: SearchFailure[];
  /** Texts that are not in the log yet. */
  readonly unsaved: readonly Said[];
  readonly signal: AbortSignal;
}

/** What is searched in addition to the disk, taken before the call. A text that has reached the disk since is found once. */
export interface SearchedMemory {
  readonly unsaved: readonly Said[];
  /** Everything in memory of a chat. Searched when a part of its log cannot be read. */
  readonly all: (chatId: string) => readonly Said[];
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
  const search: Search = { pattern, hits: new Hits(pattern, options), failures: [], unsaved, signal };
  addLatest(unsaved, unsaved, search);
  const waiting = await latestFirst(chats, search);
  const lanes = Array.from({ length: CHATS_AT_ONCE }, async () => {
    const reader = new ChunkReader();
    for (let segments = waiting.shift(); segments !== undefined; segments = waiting.shift()) {
      await searchChat(segments, reader, search);
    }
  });
  // Waits for all lanes, so that none reads a file after the return.
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find((lane) => lane.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
  searchUnread(search, memory);
  return { hits: search.hits.list(), failures: search.failures };
}

/** Adds the texts of which `all` has no later one. */
function addLatest(texts: readonly Said[], all: readonly Said[], { hits }: Search): void {
  for (const said of texts) {
    if (isLatest(said, all)) {
      hits.add(said);
    }
  }
}

/** Searches the memory of the chats that could not be read whole. */
function searchUnread({ hits, failures }: Search, memory: SearchedMemory): void {
  const chatIds = new Set(failures.flatMap(({ chatId }) => chatId ?? []));
  for (const said of [...chatIds].flatMap(memory.all)) {
    // In memory a title has no id of its own, so a title from a readable segment would be found twice.
    if (said.role !== 'title') {
      hits.add(said);
    }
  }
}

interface Segment extends SegmentSize {
  readonly chatId: string;
}

/** The segments of each chat, the latest changed chat first: it is likely to have the newest hits. */
async function latestFirst(chats: readonly SearchedChat[], search: Search): Promise<(readonly Segment[])[]> {
  const found = await Promise.all(chats.map((chat) => segmentsOf(chat, search)));
  const changed = (segments: readonly Segment[]): number => Math.max(...segments.map(({ mtimeMs }) => mtimeMs));
  return found.toSorted((a, b) => changed(b) - changed(a));
}

async function segmentsOf({ id, folder }: SearchedChat, search: Search): Promise<readonly Segment[]> {
  try {
    return (await segmentSizes(folder)).map((segment) => ({ chatId: id, ...segment }));
  } catch (thrown) {
    search.failures.push({ chatId: id, error: storageError(STORAGE_WORK.search(id), thrown) });
    return [];
  }
}

async function searchChat(segments: readonly Segment[], reader: ChunkReader, search: Search): Promise<void> {
  const scans: Searched[] = [];
  for (const segment of segments) {
    const scanned = await inSegment(segment, search, (file) => searchSegment(file, segment, reader, search));
    scans.push(...(scanned === null ? [] : [scanned]));
  }
  const matching = scans.flatMap(({ summaries }) => summaries);
  if (matching.length > 0) {
    const all = [...search.unsaved];
    for (const segment of segments) {
      const found = await inSegment(segment, search, (file) => summariesIn(reader.chunksOf(file, search.signal), segment));
      all.push(...(found ?? []));
    }
    addLatest(matching, all, search);
  }
  const open = scans.reduce((sum, { openAttempts }) => sum + openAttempts, 0);
  if (open !== 0 || scans.some(({ hasBrokenAttempts }) => hasBrokenAttempts)) {
    for (const segment of segments) {
      await inSegment(segment, search, async (file) => {
        for (const said of await brokenReplies(reader.chunksOf(file, search.signal), segment)) {
          search.hits.add(said);
        }
      });
    }
  }
}

/** Runs `job` on an open segment. Null when the segment could not be read, which is added to the failures. */
async function inSegment<T>({ chatId, path }: Segment, search: Search, job: (file: RegularFile) => Promise<T>): Promise<T | null> {
  try {
    return await withFile(path, job);
  } catch (thrown) {
    refuseAborted(search.signal, 'search.cancelled');
    search.failures.push({ chatId, error: storageError(STORAGE_WORK.searchPart(chatId), thrown) });
    return null;
  }
}

interface Searched extends Scanned {
  /** Summaries that match. They are no hits yet: a later segment may hold a later text of them. */
  readonly summaries: readonly Said[];
}

async function searchSegment(file: RegularFile, { chatId, writer }: Segment, reader: ChunkReader, search: Search): Promise<Searched> {
  const { pattern, hits, signal } = search;
  const summaries: Said[] = [];
  const scanned = await scanSegment(reader.chunksOf(file, signal), pattern.bytes);
  const lines = new LineReader(file);
  for (const { start, end, at } of scanned.candidates.toReversed().sort((a, b) => b.at - a.at)) {
    if (!hits.canTake(at)) {
      break;
    }
    const decoded = decodeLine(await lines.read(start, end), writer);
    refuseAborted(signal, 'search.cancelled');
    const said = decoded.ok ? saidInEvent(chatId, decoded.event) : null;
    if (said?.role === 'summary') {
      summaries.push(...(hits.matches(said) ? [said] : []));
    } else if (said !== null) {
      hits.add(said);
    }
  }
  return { ...scanned, summaries };
}
