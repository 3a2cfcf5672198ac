import { setImmediate } from 'node:timers/promises';
import type { AttemptRow } from '../../engine/accounting/attemptRow.js';
import { type AttemptUsage, attemptUsages } from '../../engine/accounting/attemptUsage.js';
import type { ChatEvent } from '../../engine/chat/event.js';
import { lastRun } from '../../engine/chat/branch.js';
import type { ChatFold } from '../../engine/chat/fold.js';
import { type ChatState, conversationIn } from '../../engine/chat/state.js';
import { type LoupeError, failure, toLoupeError } from '../../engine/errors.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { type LearnedChat, learnedChat } from '../../engine/next/learnedChat.js';
import { attemptsOf, bytesRead, readAttempts, writeAttempts } from './attemptsFile.js';
import { type LogReader, inWriterOrder } from '../log/chatReader.js';
import { storageError, systemCode, withStorageError } from '../files/failure.js';
import { folderFingerprint, restingFingerprint } from '../log/segmentSizes.js';
import { readLearned, writeLearned } from './learnedFile.js';
import { LogFold } from './logFold.js';
import type { ReadPosition } from '../log/logMerge.js';
import { type LogReading, type ReadWatch, type ReadingParts, readFromPoint, readWhole } from './logReading.js';
import { type RestorePoint, bytesBefore, messagesIn, readRestorePoint, writeRestorePoint } from './restorePoint.js';
import { type ChatRow, readRow, rowOf, writeRow } from './row.js';
import { type SegmentFault, readOnlyReason } from '../log/segment.js';
import { SegmentChanged } from '../log/segmentCursor.js';
import { JobQueue } from '../files/jobQueue.js';
import { endDeadRuns, endOpenRuns } from '../windows/runs.js';

export interface OpenedChat extends Pick<LogFold, 'order' | 'openRuns' | 'seen'> {
  readonly fold: ChatFold;
  readonly lastSeq: number;
  readonly faults: readonly SegmentFault[];
  /** Why the chat is read-only, in plain words, or null. */
  readonly readOnly: string | null;
  readonly position: ReadPosition;
  /** The restore point from which the state was derived; null for the beginning of the log. */
  readonly start: RestorePoint | null;
}

/** The row of a chat in lists. Used while the chat is not open. */
export interface ListedRow extends ChatRow {
  /** Whether the last run of the chat is still running. */
  readonly isRunning: boolean;
}

export interface ChatLogOptions {
  readonly chatId: string;
  readonly folder: string;
  readonly reader: LogReader;
  /** See `ReadingParts.step`. */
  readonly step: number;
  /** Called before each write of a derived file. */
  readonly isDeleted: () => Promise<boolean>;
  /** Called when `usage` cannot read the log, and for the first derived file that cannot be written. */
  readonly report: (error: Error) => void;
}

/** Minimum number of messages of an opened chat, as many as the panel shows at first. */
export const OPENED_MESSAGES = 50;

/** How many candidates for the next restore point to keep. The newest may be too near to the end of the log. */
const KEPT_POINTS = 3;

/**
 * Reads a chat from its log, and uses four derived files: the restore point, the row for the list of chats, the rows of
 * its attempts, and what it teaches about models. If a derived file is missing or damaged, it is written again.
 */
export class ChatLog {
  readonly #options: ChatLogOptions;
  readonly #closing = new AbortController();
  /** Candidates for the next restore point, oldest first. */
  #points: readonly RestorePoint[] = [];
  /** The restore point in the file, as far as this VS Code window knows. */
  #written: RestorePoint | null = null;
  readonly #updating = new JobQueue();
  #hasReported = false;
  readonly #fingerprint = (): Promise<string> => folderFingerprint(this.#options.folder, this.#options.reader);

  constructor(options: ChatLogOptions) {
    this.#options = options;
  }

  /**
   * Reads the chat from its restore point. Reads the whole log in three cases:
   * - There is no restore point.
   * - The result would differ from the result of the whole log.
   * - A rewind after the restore point leaves fewer messages than the restore point contains.
   */
  async openEnd(unsaved: () => readonly ChatEvent[], watch: ReadWatch): Promise<OpenedChat> {
    const start = this.#points[0] ?? (await this.#fromFile());
    // With fewer messages than before, a new restore point could be too short for the next request: see `update`.
    const held = start === null ? 0 : messagesIn(start);
    const parts = { ...this.#parts(Math.max(OPENED_MESSAGES, held), watch), unsaved: unsaved() };
    const reading = start === null ? null : await readFromPoint(start, parts);
    if (reading !== null && holds(reading, held)) {
      return this.#opened(start, reading);
    }
    this.#points = [];
    return this.openWhole(unsaved, OPENED_MESSAGES, watch);
  }

  /** Reads the whole chat. Finds restore points with at least `wanted` messages if the chat is long enough. */
  async openWhole(unsaved: () => readonly ChatEvent[], wanted: number, watch: ReadWatch): Promise<OpenedChat> {
    const parts = { ...this.#parts(wanted, watch), unsaved: unsaved() };
    // The search for restore points takes time, so it is skipped if enough of them are known.
    const isKnown = this.#points.some((point) => messagesIn(point) >= wanted);
    this.#points = isKnown ? this.#points : [];
    const step = isKnown ? Infinity : parts.step;
    return withStorageError(STORAGE_WORK.open, async () => this.#opened(null, await readWhole({ ...parts, step })));
  }

  /** Updates the derived files. The restore point then has at least `wanted` messages. Rejects with `storage`. */
  update(wanted: number): Promise<void> {
    return this.#updating.next(() => this.#update(wanted));
  }

  /** Returns the chat's data for lists and totals. Derives a missing row first, unless a run is open. */
  async row(): Promise<ListedRow> {
    const known = await this.#derived(() => readRow(this.#options.folder, this.#fingerprint));
    if (known !== null) {
      return { ...known, isRunning: false };
    }
    const { fold, faults } = await this.#fromLog();
    return { ...rowOf(fold.state, faults), isRunning: lastRun(fold.state)?.status === 'running' };
  }

  /** Returns a row for each attempt in the chat's usage. During a run, includes the attempts that have ended. */
  async attempts(): Promise<readonly AttemptRow[]> {
    const known = await this.#derived(this.#knownAttempts.bind(this));
    if (known !== null) {
      return known;
    }
    const { fold, start } = await this.#fromLog();
    return this.#attemptsOf(fold.state, start);
  }

  /** Returns what the chat teaches about models. During a run, includes the attempts that have ended. */
  async learned(): Promise<LearnedChat> {
    const known = await this.#derived(() => readLearned(this.#options.folder, this.#fingerprint));
    return known ?? learnedChat((await this.#fromLog()).fold.state);
  }

  /** Returns derived data from its file. Derives missing data first. Null during a run, or for a read-only log. */
  async #derived<T>(known: () => Promise<T | null>): Promise<T | null> {
    const { folder, reader } = this.#options;
    if ((await restingFingerprint(folder, reader)) === null) {
      return null;
    }
    return (await known()) ?? this.update(OPENED_MESSAGES).then(known);
  }

  async #fromLog(): Promise<OpenedChat> {
    return this.#withoutDeadRuns(await this.openEnd(() => [], NOT_WATCHED));
  }

  async #withoutDeadRuns(opened: OpenedChat): Promise<OpenedChat> {
    const { folder, reader } = this.#options;
    await endDeadRuns(opened, (writer) => reader.signs.writerState(folder, writer));
    return opened;
  }

  /**
   * Returns the usage of a chat that is being deleted. If another window is running an attempt, the attempt's usage is
   * unknown. If the log cannot be read, reports the error and returns null. Throws `cancelled`.
   */
  async usage(unsaved: () => readonly ChatEvent[]): Promise<readonly AttemptUsage[] | null> {
    try {
      const opened = await this.openWhole(unsaved, OPENED_MESSAGES, NOT_WATCHED);
      endOpenRuns(opened);
      const { fold } = opened;
      if (fold.state.extent === 'end') {
        throw failure('internal.defect', { text: 'A log that was read whole is not whole.' });
      }
      return attemptUsages(fold.state);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind !== 'storage') {
        throw error;
      }
      if (error.code === 'storage.noHistory') {
        return [];
      }
      this.#options.report(error);
      return null;
    }
  }

  /** Cancels all reading. Resolves when no derived file is being written. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#updating.next(() => Promise.resolve());
  }

  async #knownAttempts(): Promise<readonly AttemptRow[] | null> {
    const { fingerprint, rows } = await readAttempts(this.#options.folder);
    return fingerprint === (await this.#fingerprint()) ? [...rows.values()] : null;
  }

  #parts(wanted: number, watch: ReadWatch): Omit<ReadingParts, 'start' | 'unsaved'> {
    const { folder, step } = this.#options;
    return { folder, step, wanted, watch: { ...watch, signal: AbortSignal.any([watch.signal, this.#closing.signal]) } };
  }

  async #fromFile(): Promise<RestorePoint | null> {
    const { folder, chatId } = this.#options;
    this.#written = await readRestorePoint(folder, chatId);
    return this.#written;
  }

  /** Adds the restore points that a reading from `start` found. Keeps only the newest `KEPT_POINTS`. */
  #found(start: RestorePoint | null, { points }: LogReading): void {
    const before = start === null || this.#points.includes(start) ? this.#points : [start];
    this.#points = [...before, ...points].slice(-KEPT_POINTS);
  }

  async #opened(start: RestorePoint | null, reading: LogReading): Promise<OpenedChat> {
    this.#found(start, reading);
    return openedChat(reading.log, { faults: inWriterOrder(await this.#withTorn(reading)), position: reading.position, start });
  }

  /** Returns the faults. An incomplete last line is a fault only if its writer is dead. */
  async #withTorn({ faults, unfinished }: LogReading): Promise<ReadonlyMap<string, readonly SegmentFault[]>> {
    const { folder, reader } = this.#options;
    const torn = await Promise.all(
      [...unfinished].map(async ([writer, fault]) => {
        const known = faults.get(writer) ?? [];
        return [writer, (await reader.signs.writerState(folder, writer)) === 'dead' ? [...known, fault] : known] as const;
      }),
    );
    return new Map([...faults, ...torn]);
  }

  async #update(wanted: number): Promise<void> {
    try {
      await this.#derive(wanted);
    } catch (thrown) {
      // These are no errors: the chat was closed, its folder was removed, or another window is rewriting the log.
      const isVain = this.#closing.signal.aborted || systemCode(thrown) === 'ENOENT' || thrown instanceof SegmentChanged;
      if (!isVain) {
        throw storageError(STORAGE_WORK.read, thrown);
      }
    }
  }

  async #derive(wanted: number): Promise<void> {
    const { folder, reader } = this.#options;
    const fingerprint = await restingFingerprint(folder, reader);
    const parts = { ...this.#parts(wanted, NOT_WATCHED), unsaved: [] };
    const start = this.#points.at(-1) ?? (await this.#fromFile());
    const behind = start === null ? null : await readFromPoint(start, parts);
    // If the restore point has fewer messages than a request may need, the next opening would read the whole log.
    const isEnough = behind !== null && holds(behind, wanted);
    if (!isEnough) {
      this.#points = [];
    }
    const reading = isEnough ? behind : await readWhole(parts);
    const from = isEnough ? start : null;
    this.#found(from, reading);
    if (readOnlyReason(inWriterOrder(reading.faults)) !== null) {
      // Another version of Loupe may read this log differently, so the derived files stay unchanged.
      return;
    }
    await this.#keep(reading.length);
    if (fingerprint !== null) {
      await this.#writeRows(reading, from, fingerprint);
    }
  }

  /** Writes the rows of the chat and its attempts, and what it teaches, unless it has changed since `fingerprint`. */
  async #writeRows(reading: LogReading, from: RestorePoint | null, fingerprint: string): Promise<void> {
    const { folder, reader } = this.#options;
    const { fold, openRuns } = reading.log;
    if (fold === null || fingerprint !== (await restingFingerprint(folder, reader))) {
      return;
    }
    // The chat has no living writer, so a run without an end belongs to a closed VS Code window.
    endOpenRuns({ fold, openRuns });
    const faults = inWriterOrder(await this.#withTorn(reading));
    await this.#write(() => writeRow(folder, fingerprint, rowOf(fold.state, faults)));
    const attempts = await this.#attemptsOf(fold.state, from);
    await this.#write(() => writeAttempts(folder, { fingerprint, read: bytesRead(reading.position) }, attempts));
    await setImmediate();
    await this.#write(() => writeLearned(folder, fingerprint, learnedChat(fold.state)));
  }

  #attemptsOf(state: ChatState, start: RestorePoint | null): Promise<readonly AttemptRow[]> {
    const whole = async (): Promise<ChatState> => {
      const { fold } = await this.#withoutDeadRuns(await this.openWhole(() => [], OPENED_MESSAGES, NOT_WATCHED));
      return fold.state;
    };
    return attemptsOf(state, start, this.#options.folder, whole);
  }

  /** Writes the newest restore point that is at least one step before the end of the log, or else the oldest one. */
  async #keep(length: number): Promise<void> {
    const { folder, step } = this.#options;
    const point = this.#points.findLast((each) => length - bytesBefore(each) >= step) ?? this.#points[0];
    if (point !== undefined && point !== this.#written) {
      this.#written = point;
      await this.#write(() => writeRestorePoint(folder, point));
    }
  }

  /** Writes a derived file, unless the chat is deleted. */
  async #write(job: () => Promise<void>): Promise<void> {
    try {
      if (!(await this.#options.isDeleted())) {
        await job();
      }
    } catch (thrown) {
      // ENOENT: the chat was deleted in the meantime, which is no error.
      if (systemCode(thrown) !== 'ENOENT' && !this.#hasReported) {
        this.#hasReported = true;
        this.#options.report(storageError(STORAGE_WORK.saveRestorePoint, thrown));
      }
    }
  }
}

export function createdChat(events: readonly ChatEvent[]): OpenedChat {
  const log = new LogFold(null);
  log.takeAll(events);
  return openedChat(log, { faults: [], position: new Map(), start: null });
}

function openedChat(
  { fold, order, openRuns, seen, last }: LogFold,
  { faults, position, start }: Pick<OpenedChat, 'faults' | 'position' | 'start'>,
): OpenedChat {
  if (fold === null) {
    throw position.size === 0 ? failure('storage.noHistory') : unknownChat(faults);
  }
  return { fold, order, openRuns, seen, lastSeq: last?.seq ?? 0, faults, readOnly: readOnlyReason(faults), position, start };
}

/** A `ReadWatch` without progress and cancellation. */
export const NOT_WATCHED: ReadWatch = { progress: () => undefined, signal: new AbortController().signal };

function holds({ log: { fold } }: LogReading, wanted: number): boolean {
  const state = fold?.state;
  return state === undefined || state.extent === 'whole' || state.earlier.messages === 0 || conversationIn(state.timeline) >= wanted;
}

function unknownChat(faults: readonly SegmentFault[]): LoupeError {
  const unreadable = faults.find(({ kind }) => kind === 'unreadable');
  if (unreadable !== undefined) {
    return failure('storage.damagedSegment', unreadable);
  }
  if (faults.some(({ kind }) => kind === 'older')) {
    return failure('storage.olderLog');
  }
  return readOnlyReason(faults) === null ? failure('storage.noBeginning') : failure('storage.newerLog');
}
