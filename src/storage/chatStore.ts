import { readdir, rm } from 'node:fs/promises';
import type { AttemptRow } from '../engine/accounting/attemptRow.js';
import type { AttemptUsage } from '../engine/accounting/attemptUsage.js';
import type { ChatEvent } from '../engine/chat/event.js';
import { chatCreation, isChatId } from '../engine/chat/order/ids.js';
import { failure, type LoupeError } from '../engine/errors.js';
import type { Clock, RandomHex } from '../engine/ports.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { Blobs } from './blobs.js';
import { readChatGrowth, type ChatGrowth, type Reader } from './log/chatReader.js';
import { ChatLog, type OpenedChat, type ListedRow } from './reading/chatLog.js';
import { storageError, withStorageError, orIfMissing } from './files/failure.js';
import { folderFingerprint } from './log/fingerprint.js';
import type { Files } from './files/files.js';
import { Journal } from './log/journal.js';
import type { ReadPosition } from './log/logMerge.js';
import type { ReadWatch } from './reading/logReading.js';
import { chatFolder, chatsFolder, isWriterId, type ClaimKind } from './files/layout.js';
import { Heartbeat, SignsOfLife, type Ticker, type WriterIdentity, type WriterState } from './windows/liveness.js';
import { readOnlyReason } from './log/segment.js';
import { segmentSizes } from './log/segmentSizes.js';
import type { SearchQuery, SearchResult } from './search/search.js';
import { saidInEvent, type SaidInMemory } from './search/searchTexts.js';
import { RunClaim } from './windows/runClaim.js';
import { searchStore } from './search/storeSearch.js';
import { ChatTransfers } from './transfer/chatTransfers.js';
import { OutsideRequests } from './outsideRequests.js';
import { Tombstones } from './windows/tombstones.js';

export interface StoreOptions {
  /** The storage folder of the workspace, which may be missing. The store owns `chats` below it. */
  readonly root: string;
  readonly self: WriterIdentity;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly files: Files;
  readonly ticker: Ticker;
  /** For the log: failures that no caller waits for. */
  readonly report: (error: Error) => void;
  /** Bytes of log between two restore points, and after the kept one. `RESTORE_STEP`, but less in tests with short chats. */
  readonly restoreStep: number;
}

/**
 * From a chat's id to its first line it takes milliseconds, or seconds on a busy disk. An empty chat that is older is
 * damaged.
 */
const CREATION_MS = 30_000;

/**
 * The chats of one workspace on the disk. Methods throw `invalidInput` for an invalid chat id, and a `LoupeError` of
 * kind `storage` when the disk fails.
 */
export class ChatStore {
  readonly #options: StoreOptions;
  readonly #reader: Reader;
  readonly #tombstones: Tombstones;
  readonly #journals = new Map<string, Journal>();
  readonly #logs = new Map<string, ChatLog>();
  /** How chats come and go as a whole. */
  readonly transfers: ChatTransfers;
  readonly outside: OutsideRequests;
  /** By chat id: why a chat that was read here is read-only. */
  readonly #readOnly = new Map<string, string>();

  constructor(options: StoreOptions) {
    if (!isWriterId(options.self.writerId)) {
      throw failure('internal.defect', { text: `This cannot name a segment: ${JSON.stringify(options.self.writerId)}.` });
    }
    this.#options = options;
    this.#reader = { self: options.self, signs: new SignsOfLife(options.self, options.clock) };
    this.#tombstones = new Tombstones(options.root, options.files, options.self);
    this.outside = new OutsideRequests(options);
    this.transfers = new ChatTransfers({
      ...options,
      writerId: options.self.writerId,
      folder: this.#folder.bind(this),
      unsaved: (chatId) => this.journal(chatId).pendingEvents,
    });
  }

  /** Ids of all chats that are not deleted, oldest first. */
  async listChatIds(): Promise<readonly string[]> {
    return withStorageError(STORAGE_WORK.list, async () => {
      const entries = await orIfMissing(readdir(chatsFolder(this.#options.root), { withFileTypes: true }), []);
      const ids = entries.filter((entry) => entry.isDirectory() && isChatId(entry.name)).map(({ name }) => name);
      const deleted = await Promise.all(ids.map((id) => this.#tombstones.has(id)));
      return ids.filter((_, index) => deleted[index] === false).sort();
    });
  }

  /** Ids of all deleted chats. Their usage still counts. */
  deletedIds(): Promise<readonly string[]> {
    return withStorageError(STORAGE_WORK.list, () => this.#tombstones.ids());
  }

  /**
   * Opens a chat from its restore point on, or whole without one, together with the unsaved events of this window. A
   * chat must be opened before it is continued: its journal then knows the last sequence number, and whether the chat
   * is read-only. Throws `cancelled`. Throws `storage` also for a deleted chat, and for one whose first line is
   * missing.
   */
  openEnd(chatId: string, watch: ReadWatch): Promise<OpenedChat> {
    return this.#opening(chatId, (log, unsaved) => log.openEnd(unsaved, watch));
  }

  /** Opens a whole chat, as `openEnd` does. Its next restore point holds at least `wanted` messages. */
  openWhole(chatId: string, wanted: number, watch: ReadWatch): Promise<OpenedChat> {
    return this.#opening(chatId, (log, unsaved) => log.openWhole(unsaved, wanted, watch));
  }

  /**
   * Brings the derived files of a chat up to date with its log: the row, and the restore point of a long chat, which
   * then holds at least `wanted` messages. Only reports a failure to write.
   */
  async updateDerived(chatId: string, wanted: number): Promise<void> {
    if (!(await this.isDeleted(chatId))) {
      await this.#log(chatId).update(wanted);
    }
  }

  /** What lists and totals need of a chat. Rejects with `storage` when it cannot be read. */
  row(chatId: string): Promise<ListedRow> {
    return withStorageError(STORAGE_WORK.read, () => this.#log(chatId).row());
  }

  /** A row for each attempt of a chat that the ledger counts. Rejects with `storage` when it cannot be read. */
  attempts(chatId: string): Promise<readonly AttemptRow[]> {
    return withStorageError(STORAGE_WORK.read, () => this.#log(chatId).attempts());
  }

  /** What each attempt of a chat used, also of a deleted one. Rejects with `storage` when it cannot be read. */
  async attemptUsages(chatId: string): Promise<readonly AttemptUsage[]> {
    const kept = await withStorageError(STORAGE_WORK.read, () => this.#tombstones.usage(chatId));
    return kept ?? (await this.attempts(chatId));
  }

  /**
   * Reads what other windows have appended to a chat since `position`. This window's next events then come after it.
   * Null when the chat has to be read whole. New faults may make the chat read-only.
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

  /** Whether the writer of an open run is still alive. */
  writerState(chatId: string, writerId: string): Promise<WriterState> {
    return this.#reader.signs.writerState(this.#folder(chatId), writerId);
  }

  /** Whether another window seems to be creating the chat: its id is new, and its log is still empty. */
  async isBeingCreated(chatId: string): Promise<boolean> {
    const age = this.#options.clock.now() - chatCreation(chatId);
    if (Math.abs(age) > CREATION_MS) {
      return false;
    }
    const segments = await withStorageError(STORAGE_WORK.lookUp, () => segmentSizes(this.#folder(chatId)));
    return segments.every(({ size, isFile }) => size === 0 && isFile);
  }

  /** Whether a chat has a tombstone, of any window. */
  async isDeleted(chatId: string): Promise<boolean> {
    return (await this.#deleted(chatId)) !== null;
  }

  /**
   * A text that changes whenever the chat's segments change, for comparing. While a run is open, its text does not
   * count. Drafts never count.
   */
  async fingerprint(chatId: string): Promise<string> {
    return withStorageError(STORAGE_WORK.lookUp, () => folderFingerprint(this.#folder(chatId), this.#reader));
  }

  /** The one journal of a chat in this window. It touches no file before its first append. */
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

  /** This window's claim to answer in a chat, or to write its summary. */
  runClaim(chatId: string, kind: ClaimKind): RunClaim {
    return new RunClaim({ ...this.#options, ...this.#reader, folder: this.#folder(chatId), kind });
  }

  blobs(chatId: string): Blobs {
    const { files, random } = this.#options;
    return new Blobs({ folder: this.#folder(chatId), files, random, refusal: () => this.#refusal(chatId) });
  }

  /**
   * Searches all chats that are not deleted, the unsaved events of this window, and the running replies of `open`
   * chats. Searches the memory of an open chat when its log is missing or cannot be read. Throws `cancelled` when the
   * signal aborts.
   */
  search(query: SearchQuery, open: readonly SaidInMemory[], signal: AbortSignal): Promise<SearchResult> {
    const unsaved = [...this.#journals].flatMap(([id, { pendingEvents }]) => pendingEvents.map((event) => saidInEvent(id, event)));
    const ports = { tombstones: this.#tombstones, root: this.#options.root, list: this.listChatIds.bind(this) };
    return searchStore(query, { open, unsaved: unsaved.filter((each) => each !== null) }, ports, signal);
  }

  /** Removes a copy that turned out not to be readable. */
  async discardCopy(chatId: string): Promise<void> {
    await withStorageError(STORAGE_WORK.import, async () => {
      await this.#logs.get(chatId)?.close();
      this.#logs.delete(chatId);
      this.#journals.delete(chatId);
      this.#readOnly.delete(chatId);
      await rm(this.#folder(chatId), { recursive: true, force: true });
    });
  }

  /**
   * Deletes a chat for all windows. Its tombstone keeps its usage, so this reads the whole log. The files stay until
   * `purgeDeleted`.
   */
  async deleteChat(chatId: string): Promise<void> {
    await withStorageError(STORAGE_WORK.delete, async () => {
      // Another window may have deleted it before, and removed its log.
      const kept = await this.#tombstones.usage(chatId);
      await this.#tombstones.add(chatId, kept ?? (await this.#log(chatId).usage(() => this.journal(chatId).pendingEvents)));
    });
  }

  /** Takes a deletion back, and writes the events that its journal has refused since. */
  async undeleteChat(chatId: string): Promise<void> {
    await withStorageError(STORAGE_WORK.bringBack, () => this.#tombstones.remove(chatId));
    await this.#journals.get(chatId)?.retry();
  }

  /**
   * Removes the files of deleted chats; called when this window closes. Keeps those that another living window
   * deleted, because it may still undo that. The tombstones stay.
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

  /** Cancels all readings; called when this window closes. Chats that are still opening reject with `cancelled`. */
  async stopReading(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.close()));
  }

  /** Saves and closes all journals, then removes the files of deleted chats. Tries all, then throws the first failure. */
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
    // The tombstone is looked up meanwhile. When both fail, the deletion is the better reason.
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
