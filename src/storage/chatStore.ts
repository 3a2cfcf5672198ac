import { readdir, rm } from 'node:fs/promises';
import { spentTotals } from '../engine/accounting/ledger.js';
import type { UsageTotals } from '../engine/accounting/usage.js';
import type { ChatEvent } from '../engine/chat/event.js';
import { chatCreation, isChatId } from '../engine/chat/ids.js';
import { failure, type LoupeError } from '../engine/errors.js';
import type { Clock, RandomHex } from '../engine/ports.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { Blobs } from './blobs.js';
import { readChatGrowth, type ChatGrowth, type Reader } from './chatReader.js';
import { ChatLog, type OpenedChat, type TellingRow } from './chatLog.js';
import { copyChat, type CopyWatch } from './copyChat.js';
import { storageError, told, whereThere } from './failure.js';
import { folderFingerprint } from './fingerprint.js';
import type { Files } from './files.js';
import { Journal } from './journal.js';
import type { ReadPosition } from './logMerge.js';
import type { ReadWatch } from './logReading.js';
import { chatFolder, chatsFolder, isWriterId } from './layout.js';
import { Heartbeat, SignsOfLife, type Ticker, type WriterIdentity, type WriterState } from './liveness.js';
import { readOnlyReason } from './segment.js';
import { segmentSizes } from './segmentSizes.js';
import type { SearchQuery, SearchResult } from './search.js';
import { saidInEvent, type SaidInMemory } from './searchTexts.js';
import { RunClaim } from './runClaim.js';
import { searchStore } from './storeSearch.js';
import { Tombstones } from './tombstones.js';
import { readWholeLog, type WholeLog } from './wholeLog.js';

export interface StoreOptions {
  /** The storage folder of the workspace; `chats` below it is the store's. Need not exist. */
  readonly root: string;
  readonly self: WriterIdentity;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly files: Files;
  readonly ticker: Ticker;
  /** For the log: failures that nobody waits for. */
  readonly report: (error: Error) => void;
  /** Bytes of log between two restore points, and behind the one that is kept; `RESTORE_STEP` but for tests with short chats. */
  readonly restoreStep: number;
}

/** From a chat's id to its first line are milliseconds, seconds on a disk that is busy. Later an empty chat is a damaged one. */
const CREATION_MS = 30_000;

/**
 * The chats of one workspace on the disk. All methods that take a chat id throw `invalidInput` for what is none,
 * and a `LoupeError` of kind `storage` when the disk fails.
 */
export class ChatStore {
  readonly #options: StoreOptions;
  readonly #reader: Reader;
  readonly #tombstones: Tombstones;
  readonly #journals = new Map<string, Journal>();
  readonly #logs = new Map<string, ChatLog>();
  /** Why chats that were read here must not be continued. */
  readonly #readOnly = new Map<string, string>();

  constructor(options: StoreOptions) {
    if (!isWriterId(options.self.writerId)) {
      throw failure('internal.defect', { text: `This cannot name a segment: ${JSON.stringify(options.self.writerId)}.` });
    }
    this.#options = options;
    this.#reader = { self: options.self, signs: new SignsOfLife(options.self, options.clock) };
    this.#tombstones = new Tombstones(options.root, options.files, options.self);
  }

  /** Ids of all chats that are not deleted, oldest first. */
  async listChatIds(): Promise<readonly string[]> {
    return told(STORAGE_WORK.list, async () => {
      const entries = await whereThere(readdir(chatsFolder(this.#options.root), { withFileTypes: true }), []);
      const ids = entries.filter((entry) => entry.isDirectory() && isChatId(entry.name)).map(({ name }) => name);
      const deleted = await Promise.all(ids.map((id) => this.#tombstones.has(id)));
      return ids.filter((_, index) => deleted[index] === false).sort();
    });
  }

  /** Ids of all chats that are marked as deleted: what they used counts still. */
  deletedIds(): Promise<readonly string[]> {
    return told(STORAGE_WORK.list, () => this.#tombstones.ids());
  }

  /**
   * Opens a chat from its restore point on; whole without one. What this window could not save yet is there as well. A
   * chat is to be opened before it is continued: this tells its journal what the new events come after, and whether it
   * may take any. Throws `cancelled`, and `storage` also for a deleted chat, and when the line that created the chat is
   * missing.
   */
  openEnd(chatId: string, watch: ReadWatch): Promise<OpenedChat> {
    return this.#opening(chatId, (log, unsaved) => log.openEnd(unsaved, watch));
  }

  /** Opens a chat whole, as `openEnd` does. Its next restore point holds `wanted` messages at least. */
  openWhole(chatId: string, wanted: number, watch: ReadWatch): Promise<OpenedChat> {
    return this.#opening(chatId, (log, unsaved) => log.openWhole(unsaved, wanted, watch));
  }

  /**
   * Brings what is derived from the log of a chat up to date with the disk: the row, and for a long chat the restore
   * point, which then holds `wanted` messages at least. A failure to write is only reported.
   */
  async updateDerived(chatId: string, wanted: number): Promise<void> {
    if (!(await this.isDeleted(chatId))) {
      await this.#log(chatId).update(wanted);
    }
  }

  /** What lists and totals need of a chat. Rejects with `storage` when it cannot be read. */
  row(chatId: string): Promise<TellingRow> {
    return told(STORAGE_WORK.read, () => this.#log(chatId).row());
  }

  /** The ledger of a chat, also of a deleted one. Rejects with `storage` when it cannot be read. */
  async totals(chatId: string): Promise<UsageTotals> {
    const kept = await told(STORAGE_WORK.read, () => this.#tombstones.usage(chatId));
    return kept === null ? (await this.row(chatId)).totals : spentTotals(kept);
  }

  /**
   * Reads what other windows have added to a chat since `position`, and lets this window's next events come after
   * it. Null when the chat has to be read whole. The new faults may make the chat read-only.
   */
  async readGrowth(chatId: string, position: ReadPosition): Promise<(ChatGrowth & { readonly readOnly: string | null }) | null> {
    const growth = await told(STORAGE_WORK.follow, () => readChatGrowth(this.#folder(chatId), position, this.#reader));
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

  /** Whether the writer of an open run still lives. */
  writerState(chatId: string, writerId: string): Promise<WriterState> {
    return this.#reader.signs.writerState(this.#folder(chatId), writerId);
  }

  /** Whether another window seems to be creating the chat just now: its id is new, and nothing of it is on the disk yet. */
  async isBeingCreated(chatId: string): Promise<boolean> {
    const age = this.#options.clock.now() - chatCreation(chatId);
    if (Math.abs(age) > CREATION_MS) {
      return false;
    }
    const segments = await told(STORAGE_WORK.lookUp, () => segmentSizes(this.#folder(chatId)));
    return segments.every(({ size, isFile }) => size === 0 && isFile);
  }

  /** Whether a chat carries the mark of deletion, by whichever window. */
  async isDeleted(chatId: string): Promise<boolean> {
    return (await this.#deleted(chatId)) !== null;
  }

  /**
   * What the chat's folder looks like from outside, to be compared with what it was: it differs when something was
   * written to the chat, except that the text of a run under way does not count, nor a draft.
   */
  async fingerprint(chatId: string): Promise<string> {
    return told(STORAGE_WORK.lookUp, () => folderFingerprint(this.#folder(chatId), this.#reader));
  }

  /** The one journal of a chat in this window. Touches no file before its first append. */
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

  /** The claim of this window to answer in a chat. */
  runClaim(chatId: string): RunClaim {
    return new RunClaim({ ...this.#options, ...this.#reader, folder: this.#folder(chatId) });
  }

  blobs(chatId: string): Blobs {
    const { files, random } = this.#options;
    return new Blobs({ folder: this.#folder(chatId), files, random, refusal: () => this.#refusal(chatId) });
  }

  /**
   * Searches all chats that are not deleted, with what this window could not save yet and the replies under way in the
   * `open` chats; their memory where a log cannot be read, or is not found. Throws `cancelled` when the signal aborts.
   */
  search(query: SearchQuery, open: readonly SaidInMemory[], signal: AbortSignal): Promise<SearchResult> {
    const unsaved = [...this.#journals].flatMap(([id, { pendingEvents }]) => pendingEvents.map((event) => saidInEvent(id, event)));
    const ports = { tombstones: this.#tombstones, root: this.#options.root, list: this.listChatIds.bind(this) };
    return searchStore(query, { open, unsaved: unsaved.filter((each) => each !== null) }, ports, signal);
  }

  /**
   * Copies the chat in the folder `from`, of whichever workspace, as the chat `chatId` of these folders. Throws
   * `cancelled` when the signal aborts.
   */
  async importChat(from: string, chat: { readonly chatId: string; readonly folders: readonly string[] }, watch: CopyWatch): Promise<void> {
    const { self, ...system } = this.#options;
    await told(STORAGE_WORK.import, () =>
      copyChat(from, { folder: this.#folder(chat.chatId), ...chat }, { ...system, writerId: self.writerId }, watch),
    );
  }

  /**
   * All events of a chat, also of a deleted one, with what this window could not save yet; without those on the disk
   * when its folder is gone. Throws `cancelled` when the signal aborts.
   */
  async readLog(chatId: string, watch: CopyWatch): Promise<WholeLog> {
    return told(STORAGE_WORK.readLog, () => readWholeLog(this.#folder(chatId), this.journal(chatId).pendingEvents, watch));
  }

  /**
   * Marks a chat as deleted, for all windows and lasting. The mark keeps what the chat has used, so the whole log is read.
   * Its content stays until `purgeDeleted`.
   */
  async deleteChat(chatId: string): Promise<void> {
    await told(STORAGE_WORK.delete, async () => {
      // Another window may have deleted it before, and removed its log.
      const kept = await this.#tombstones.usage(chatId);
      await this.#tombstones.add(chatId, kept ?? (await this.#log(chatId).usage(() => this.journal(chatId).pendingEvents)));
    });
  }

  /** Takes a deletion back, and saves what its journal was refused meanwhile. */
  async undeleteChat(chatId: string): Promise<void> {
    await told(STORAGE_WORK.bringBack, () => this.#tombstones.remove(chatId));
    await this.#journals.get(chatId)?.retry();
  }

  /**
   * Removes the content of deleted chats, for the time when this window closes. Those that another living window
   * deleted stay: it may still undo that. The marks of deletion stay in any case.
   */
  async purgeDeleted(): Promise<void> {
    await told(STORAGE_WORK.removeFiles, async () => {
      for (const chatId of await this.#tombstones.settled()) {
        await this.#journals.get(chatId)?.close();
        this.#journals.delete(chatId);
        await this.#logs.get(chatId)?.close();
        this.#logs.delete(chatId);
        await rm(this.#folder(chatId), { recursive: true, force: true });
      }
    });
  }

  /** Breaks off what is read, for the time when this window closes: chats still opening reject with `cancelled`. */
  async stopReading(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.close()));
  }

  /** Saves and closes all journals, then removes deleted chats. Throws the first failure, after trying all. */
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
    // That it is deleted is looked up meanwhile, and is the better reason for a failure to read it.
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
    return told(STORAGE_WORK.open, () => this.#tombstones.refusal(chatId));
  }

  #folder(chatId: string): string {
    return chatFolder(this.#options.root, chatId);
  }
}
