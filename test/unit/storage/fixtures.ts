import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { Clock } from '../../../src/engine/ports.js';
import { CountingHex } from '../../support/engine/ports.js';
import { ChatStore, type StoreOptions } from '../../../src/storage/chatStore.js';
import { nodeFiles, type Files, type DiskFile } from '../../../src/storage/files/files.js';
import { Journal } from '../../../src/storage/log/journal.js';
import { chatFolder, segmentName } from '../../../src/storage/files/layout.js';
import { encodeLine } from '../../../src/storage/log/line.js';
import { Heartbeat, type Ticker, type WriterIdentity } from '../../../src/storage/windows/liveness.js';
import { RESTORE_STEP } from '../../../src/storage/reading/restorePoint.js';

export const CHAT = 'sess_1700000000000_abc123';
export const OTHER_CHAT = 'sess_1600000000000_00ff00';
export const HOST = 'this-host';
/** Larger than each process id of any system. */
export const DEAD_PID = 2 ** 30;

export class ManualClock implements Clock {
  time = 1_700_000_000_000;
  now(): number {
    return this.time;
  }
  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

export class ManualTicker {
  readonly #ticks = new Set<() => void>();
  readonly start: Ticker = (_ms, tick) => {
    this.#ticks.add(tick);
    return () => {
      this.#ticks.delete(tick);
    };
  };
  get running(): number {
    return this.#ticks.size;
  }
  tick(): void {
    for (const tick of this.#ticks) {
      tick();
    }
  }
}

export function writer(writerId: string): WriterIdentity {
  return { writerId, pid: process.pid, host: HOST };
}

export async function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'loupe-storage-'));
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

export function title(text: string): NewEvent {
  return { type: 'title', title: text, by: 'user' };
}

export function runStarted(runId: string): NewEvent {
  return { type: 'run-started', runId, userMessageId: '1-00000000', cause: 'message' };
}

export function runCommitted(runId: string): NewEvent {
  return { type: 'run-committed', runId };
}

/** An event as the journal of `writerId` stamps it. */
export function stamped(draft: NewEvent, seq: number, writerId: string): ChatEvent {
  return { ...draft, v: LOG_VERSION, seq, id: `${writerId}-${String(seq)}`, at: 1_700_000_000_000, writer: writerId };
}

/** The texts of `title` events, which tests use as plain lines. */
export function titles(events: readonly ChatEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'title' ? [event.title] : []));
}

export interface JournalParts {
  readonly folder: string;
  readonly files: Files;
  readonly writerId: string;
}

export interface TestJournal {
  readonly journal: Journal;
  readonly ticker: ManualTicker;
  readonly reports: Error[];
  refusal: LoupeError | null;
}

export function makeJournal({ folder, files, writerId }: JournalParts): TestJournal {
  const clock = new ManualClock();
  const ticker = new ManualTicker();
  const reports: Error[] = [];
  const report = (error: Error): void => {
    reports.push(error);
  };
  const heartbeat = new Heartbeat({ folder, self: writer(writerId), clock, ticker: ticker.start, report });
  const made: TestJournal = {
    ticker,
    reports,
    refusal: null,
    journal: new Journal({
      folder,
      writerId,
      clock,
      random: new CountingHex(),
      files,
      heartbeat,
      refusal: () => Promise.resolve(made.refusal),
      report,
    }),
  };
  return made;
}

export function makeStore(root: string, self: WriterIdentity): ChatStore {
  return new ChatStore(storeOptions(root, self));
}

export function storeOptions(root: string, self: WriterIdentity): StoreOptions {
  return {
    root,
    self,
    clock: new ManualClock(),
    random: new CountingHex(),
    files: nodeFiles,
    ticker: new ManualTicker().start,
    restoreStep: RESTORE_STEP,
    report: failOnReport,
  };
}

export function useStore(made: (root: string, store: ChatStore) => void): void {
  let root: string;
  let store: ChatStore;
  beforeEach(async () => {
    root = await makeFolder();
    store = makeStore(root, writer('me'));
    made(root, store);
  });
  afterEach(async () => {
    await store.close();
    await removeFolder(root);
  });
}

function failOnReport(error: Error): void {
  throw error;
}

/** Writes the segment of a writer: events as lines, bytes unchanged. */
export async function writeSegment(root: string, chatId: string, writerId: string, lines: readonly (ChatEvent | string)[]): Promise<void> {
  const folder = chatFolder(root, chatId);
  await mkdir(folder, { recursive: true });
  const bytes = lines.map((line) => (typeof line === 'string' ? Buffer.from(line) : encodeLine(line)));
  await writeFile(join(folder, segmentName(writerId)), Buffer.concat(bytes));
}

export async function readSegmentFile(folder: string, writerId: string): Promise<Buffer> {
  return readFile(join(folder, segmentName(writerId)));
}

export async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.sort().map(async (file) => [file, await readFile(file, 'latin1')] as const);
  return Object.fromEntries(await Promise.all(pairs));
}

/** A real disk with room for `room` more bytes. A write that does not fit is cut, and the next one fails. */
export class SmallDisk implements Files {
  room: number;
  /** The most bytes per write. */
  largestWrite = Infinity;
  syncFails = false;
  truncateFails = false;
  readonly makeFolder = nodeFiles.makeFolder.bind(nodeFiles);
  readonly exists = nodeFiles.exists.bind(nodeFiles);
  readonly rename = nodeFiles.rename.bind(nodeFiles);
  readonly remove = nodeFiles.remove.bind(nodeFiles);
  /** All writes and syncs on the disk, in order. */
  readonly log: string[] = [];
  readonly syncedFolders: string[] = [];

  constructor(room: number) {
    this.room = room;
  }

  async syncFolder(path: string): Promise<void> {
    await nodeFiles.syncFolder(path);
    this.syncedFolders.push(path);
  }

  async open(path: string): Promise<DiskFile> {
    const file = await nodeFiles.open(path);
    return {
      stat: () => file.stat(),
      byteAt: (position) => file.byteAt(position),
      write: (bytes, position) => this.#write(file, bytes, position),
      writeThrough: async (bytes, position) => {
        const count = await this.#write(file, bytes, position);
        await this.#datasync(file, 'sync these bytes');
        return count;
      },
      truncate: async (length) => {
        if (this.truncateFails) {
          throw systemError('EIO');
        }
        const { size } = await file.stat();
        this.room += Math.max(0, size - length);
        await file.truncate(length);
      },
      datasync: () => this.#datasync(file, 'sync'),
      close: () => file.close(),
    };
  }

  async #write(file: DiskFile, bytes: Uint8Array, position: number): Promise<number> {
    const { size } = await file.stat();
    const fitting = Math.max(0, size - position) + this.room;
    const count = Math.min(bytes.length, fitting, this.largestWrite);
    if (count === 0) {
      throw systemError('ENOSPC');
    }
    const written = await file.write(bytes.subarray(0, count), position);
    this.room -= Math.max(0, position + written - size);
    this.log.push(`write ${String(position)}+${String(written)}`);
    return written;
  }

  async #datasync(file: DiskFile, step: string): Promise<void> {
    if (this.syncFails) {
      throw systemError('EIO');
    }
    await file.datasync();
    this.log.push(step);
  }
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}
