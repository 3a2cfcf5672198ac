import { readdir, rm } from 'node:fs/promises';
import type { AttemptRow } from '../engine/accounting/attemptRow.js';
import type { AttemptUsage } from '../engine/accounting/attemptUsage.js';
import type { ChatEvent } from '../engine/chat/event.js';
import { chatCreation, isChatId } from '../engine/chat/order/ids.js';
import { type LoupeError, failure } from '../engine/errors.js';
import type { Clock, RandomHex } from '../engine/ports.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { Blobs } from './blobs.js';
import { type ChatGrowth, type LogReader, readChatGrowth } from './log/chatReader.js';
import { ChatLog, type ListedRow, type OpenedChat } from './reading/chatLog.js';
import { orIfMissing, storageError, withStorageError } from './files/failure.js';
import { folderFingerprint, segmentSizes } from './log/segmentSizes.js';
import type { Files } from './files/files.js';
import { Journal } from './log/journal.js';
import type { ReadPosition } from './log/logMerge.js';
import type { ReadWatch } from './reading/logReading.js';
import { type ClaimKind, chatFolder, chatsFolder, isWriterId } from './files/layout.js';
import { Heartbeat, SignsOfLife, type Ticker, type WriterIdentity, type WriterState } from './windows/liveness.js';
import { readOnlyReason } from './log/segment.js';
import { RunClaim } from './windows/runClaim.js';
import { type StoreSearch, storeSearch } from './search/storeSearch.js';
import { ChatTransfers } from './transfer/chatTransfers.js';
import { OutsideRequests } from './outsideRequests.js';
import { Tombstones } from './windows/tombstones.js';

export interface StoreOptions {
  /** The storage folder of the workspace, which may be missing. `ChatStore` uses its folders `chats` and `requests`. */
  readonly root: string;
  readonly self: WriterIdentity;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly files: Files;
  readonly ticker: Ticker;
  /** Logs failures that no caller waits for. */
  readonly report: (error: Error) => void;
  /** Minimum bytes of log from one restore point to the next or to the end. `RESTORE_STEP`; smaller in tests. */
  readonly restoreStep: number;
}

/** How long a new chat may have an empty log, in ms. After that time, an empty log is damaged. */
const CREATION_MS = 30_000;

/** Stores the chats of a workspace. Methods throw `invalidInput` for a bad chat id, and `storage` for disk failures. */
export class ChatStore {
  readonly #options: StoreOptions;
  readonly #reader: LogReader;
  readonly #tombstones: Tombstones;
  readonly #journals = new Map<string, Journal>();
  readonly #logs = new Map<string, ChatLog>();
  readonly transfers: ChatTransfers;
  readonly outside: OutsideRequests;
  readonly search: StoreSearch;
  /** By chat id: why the chat is read-only. Has only chats that this VS Code window has read. */
  readonly #readOnly = new Map<string, string>();

  constructor(options: StoreOptions) {
    if (!isWriterId(options.self.writerId)) {
      throw failure('internal.defect', { text: `This cannot name a segment: ${JSON.stringify(options.self.writerId)}.` });
    }
    this.#options = options;
    this.#reader = { self: options.self, signs: new SignsOfLife(options.self, options.clock) };
    this.#tombstones = new Tombstones(options.root, options.files, options.self);
    this.outside = new OutsideRequests(options);
    this.search = storeSearch({
      root: options.root,
      tombstones: this.#tombstones,
      list: this.listChatIds.bind(this),
      journals: this.#journals,
    });
    this.transfers = new ChatTransfers({
      ...options,
      writerId: options.self.writerId,
      folder: this.#folder.bind(this),
      unsaved: (chatId) => this.journal(chatId).pendingEvents,
    });
  }

  /** Returns the ids of all chats that are not deleted, oldest first. */
  async listChatIds(): Promise<readonly string[]> {
    return withStorageError(STORAGE_WORK.list, async () => {
      const entries = await orIfMissing(readdir(chatsFolder(this.#options.root), { withFileTypes: true }), []);
      const ids = entries.filter((entry) => entry.isDirectory() && isChatId(entry.name)).map(({ name }) => name);
      const deleted = await Promise.all(ids.map((id) => this.#tombstones.has(id)));
      return ids.filter((_, index) => deleted[index] === false).sort();
    });
  }

  /** Returns the ids of all deleted chats. Usage totals still include these chats. */
  deletedIds(): Promise<readonly string[]> {
    return withStorageError(STORAGE_WORK.list, () => this.#tombstones.ids());
  }

  /**
   * Opens a chat with the unsaved events of this VS Code window: from its restore point, or else the whole chat. Call
   * this before the first append, so that the journal knows the last sequence number and whether the chat is read-only.
   * Throws `cancelled`, and `storage` also for a deleted chat or a missing first line.
   */
  openEnd(chatId: string, watch: ReadWatch): Promise<OpenedChat> {
    return this.#opening(chatId, (log, unsaved) => log.openEnd(unsaved, watch));
  }

  /** Opens a whole chat like `openEnd`. The chat's next restore point contains at least `wanted` messages. */
  openWhole(chatId: string, wanted: number, watch: ReadWatch): Promise<OpenedChat> {
    return this.#opening(chatId, (log, unsaved) => log.openWhole(unsaved, wanted, watch));
  }

  /** Updates a chat's derived files, see `ChatLog.update`. Does nothing for a deleted chat. Rejects with `storage`. */
  async updateDerived(chatId: string, wanted: number): Promise<void> {
    if (!(await this.isDeleted(chatId))) {
      await this.#log(chatId).update(wanted);
    }
  }

  /** Returns a chat's data for lists and totals. Rejects with `storage` when the log is unreadable. */
  row(chatId: string): Promise<ListedRow> {
    return withStorageError(STORAGE_WORK.read, () => this.#log(chatId).row());
  }

  /** Returns a row for each attempt in the chat's usage. Rejects with `storage` when the log is unreadable. */
  attempts(chatId: string): Promise<readonly AttemptRow[]> {
    return withStorageError(STORAGE_WORK.read, () => this.#log(chatId).attempts());
  }

  /** Returns what a chat teaches about models. Rejects with `storage` when the log is unreadable. */
  learned(chatId: string): ReturnType<ChatLog['learned']> {
    return withStorageError(STORAGE_WORK.read, () => this.#log(chatId).learned());
  }

  /** Returns the usage of each attempt of a chat, even a deleted chat. Rejects with `storage` for an unreadable log. */
  async attemptUsages(chatId: string): Promise<readonly AttemptUsage[]> {
    const kept = await withStorageError(STORAGE_WORK.read, () => this.#tombstones.usage(chatId));
    return kept ?? (await this.attempts(chatId));
  }

  /**
   * Reads the lines that other windows appended to a chat after `position`. Later events of this VS Code window get
   * higher sequence numbers. Returns null when the whole chat must be read. New faults can make the chat read-only.
   */
  async readGrowth(chatId: string, position: ReadPosition): Promise<(ChatGrowth & { readonly readOnly: string | null }) | null> {
    const growth = await withStorageError(STORAGE_WORK.follow, () => readChatGrowth(this.#folder(chatId), position, this.#reader));
    if (growth === null) {
      return null;
    }
    const journal = this.journal(chatId);
    for (const { seq } of growth.events) {
      journal.observe(seq);
    }
    const readOnly = this.#readOnly.get(chatId) ?? readOnlyReason(growth.faults);
    if (readOnly !== null) {
      this.#readOnly.set(chatId, readOnly);
    }
    return { ...growth, readOnly };
  }

  writerState(chatId: string, writerId: string): Promise<WriterState> {
    return this.#reader.signs.writerState(this.#folder(chatId), writerId);
  }

  /** Whether another VS Code window is probably creating the chat now: the chat's id is new and its log is empty. */
  async isBeingCreated(chatId: string): Promise<boolean> {
    const age = this.#options.clock.now() - chatCreation(chatId);
    if (Math.abs(age) > CREATION_MS) {
      return false;
    }
    const segments = await withStorageError(STORAGE_WORK.lookUp, () => segmentSizes(this.#folder(chatId)));
    return segments.every(({ size, isFile }) => size === 0 && isFile);
  }

  async isDeleted(chatId: string): Promise<boolean> {
    return (await this.#deleted(chatId)) !== null;
  }

  /** Returns a text that changes with the log; during a run, only with the lists of open runs and segments. */
  async fingerprint(chatId: string): Promise<string> {
    return withStorageError(STORAGE_WORK.lookUp, () => folderFingerprint(this.#folder(chatId), this.#reader));
  }

  /** Returns this VS Code window's only journal of a chat. The first append creates its file. */
  journal(chatId: string): Journal {
    const known = this.#journals.get(chatId);
    if (known !== undefined) {
      return known;
    }
    const { self, clock, random, files, ticker, report } = this.#options;
    const folder = this.#folder(chatId);
    const journal = new Journal({
      folder,
      writerId: self.writerId,
      clock,
      random,
      files,
      heartbeat: new Heartbeat({ folder, self, clock, ticker, report }),
      refusal: () => this.#refusal(chatId),
      report,
    });
    this.#journals.set(chatId, journal);
    return journal;
  }

  /** Returns the claim of this VS Code window to reply in a chat, or to write its summary. */
  runClaim(chatId: string, kind: ClaimKind): RunClaim {
    return new RunClaim({ ...this.#options, ...this.#reader, folder: this.#folder(chatId), kind });
  }

  blobs(chatId: string): Blobs {
    const { files, random } = this.#options;
    return new Blobs({ folder: this.#folder(chatId), files, random, refusal: () => this.#refusal(chatId) });
  }

  /** Removes the copy of an imported chat, because the copy is unreadable. */
  async discardCopy(chatId: string): Promise<void> {
    await withStorageError(STORAGE_WORK.import, async () => {
      await this.#logs.get(chatId)?.close();
      this.#logs.delete(chatId);
      this.#journals.delete(chatId);
      this.#readOnly.delete(chatId);
      await rm(this.#folder(chatId), { recursive: true, force: true });
    });
  }

  /** Deletes a chat for all VS Code windows. A tombstone stores the usage. `purgeDeleted` removes the files later. */
  async deleteChat(chatId: string): Promise<void> {
    await withStorageError(STORAGE_WORK.delete, async () => {
      // If another window has deleted the chat already, the log may be missing. The tombstone then has the usage.
      const kept = await this.#tombstones.usage(chatId);
      await this.#tombstones.add(chatId, kept ?? (await this.#log(chatId).usage(() => this.journal(chatId).pendingEvents)));
    });
  }

  /** Restores a deleted chat. Writes the events that the journal could not write while the chat was deleted. */
  async undeleteChat(chatId: string): Promise<void> {
    await withStorageError(STORAGE_WORK.bringBack, () => this.#tombstones.remove(chatId));
    await this.#journals.get(chatId)?.retry();
  }

  /**
   * Removes the files of deleted chats when this VS Code window closes, but not the tombstones. If another living
   * window deleted a chat, its files stay, because the user may still undo the deletion.
   */
  async purgeDeleted(): Promise<void> {
    await withStorageError(STORAGE_WORK.removeFiles, async () => {
      for (const chatId of await this.#tombstones.settled()) {
        await this.#journals.get(chatId)?.close();
        this.#journals.delete(chatId);
        await this.#logs.get(chatId)?.close();
        this.#logs.delete(chatId);
        await rm(this.#folder(chatId), { recursive: true, force: true });
      }
    });
  }

  /** Cancels all reading when this VS Code window closes. Chats that are being opened reject with `cancelled`. */
  async stopReading(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.close()));
  }

  /** Saves and closes all journals, then removes files of deleted chats. Throws the first error at the end. */
  async close(): Promise<void> {
    const closing = [...this.#journals.values()].map((journal) => journal.close());
    this.#journals.clear();
    await this.stopReading();
    const closed = await Promise.allSettled(closing);
    const purged = await Promise.allSettled([this.purgeDeleted()]);
    const failed = [...closed, ...purged].find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw storageError(STORAGE_WORK.saveSome, failed.reason);
    }
  }

  #log(chatId: string): ChatLog {
    const known = this.#logs.get(chatId);
    if (known !== undefined) {
      return known;
    }
    const { report, restoreStep } = this.#options;
    const log = new ChatLog({
      chatId,
      folder: this.#folder(chatId),
      reader: this.#reader,
      step: restoreStep,
      isDeleted: () => this.#tombstones.has(chatId),
      report,
    });
    this.#logs.set(chatId, log);
    return log;
  }

  async #opening(chatId: string, open: (log: ChatLog, unsaved: () => readonly ChatEvent[]) => Promise<OpenedChat>): Promise<OpenedChat> {
    const journal = this.journal(chatId);
    const reading = open(this.#log(chatId), () => journal.pendingEvents);
    // The check for a deletion runs during the reading. If both fail, the error of the deletion is thrown.
    reading.catch(() => undefined);
    const refusal = await this.#deleted(chatId);
    if (refusal !== null) {
      throw refusal;
    }
    const opened = await reading;
    journal.observe(opened.lastSeq);
    if (opened.readOnly === null) {
      this.#readOnly.delete(chatId);
    } else {
      this.#readOnly.set(chatId, opened.readOnly);
    }
    return opened;
  }

  async #refusal(chatId: string): Promise<LoupeError | null> {
    const reason = this.#readOnly.get(chatId);
    return reason === undefined ? this.#tombstones.refusal(chatId) : failure('storage.readOnly', { reason });
  }

  async #deleted(chatId: string): Promise<LoupeError | null> {
    return withStorageError(STORAGE_WORK.open, () => this.#tombstones.refusal(chatId));
  }

  #folder(chatId: string): string {
    return chatFolder(this.#options.root, chatId);
  }
}
