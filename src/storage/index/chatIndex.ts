import type { ChatEvent } from '../../engine/chat/event.js';
import type { ChatFold } from '../../engine/chat/fold.js';
import { failure } from '../../engine/errors.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import type { BeforeReading, Reader } from '../chatReader.js';
import { storageError, systemCode } from '../failure.js';
import { folderFingerprint, restingFingerprint } from '../fingerprint.js';
import { indexFolder } from '../layout.js';
import { SegmentChanged } from '../segmentCursor.js';
import { segmentSizes } from '../segmentSizes.js';
import { glimpseOf } from './glimpse.js';
import { IndexUpdate, type Updated } from './indexUpdate.js';
import type { IndexLimits } from './limits.js';
import { bytesBehind } from './logSize.js';
import { Looks, openLog, readBefore, type OpenParts, type Places } from './openLog.js';
import type { ChatRow, EarlierPart, OpenedChat, Place, ReadWatch } from './opened.js';
import { PlacesFile, type PlaceLine } from './placesFile.js';
import { readRow, writeRow } from './row.js';

export interface ChatIndexOptions {
  /** The chat's. */
  readonly folder: string;
  readonly reader: Reader;
  readonly limits: IndexLimits;
  /** Asked before each write. */
  readonly isDeleted: () => Promise<boolean>;
  /** Takes the first failure to write: the chat is as usable without its index, only slower to open. */
  readonly report: (error: Error) => void;
}

/**
 * Reads a chat with the help of what is derived from its log: places where a fold can begin, and its row in the list
 * of chats. All of that may be deleted or damaged at any time, and is made again from the log.
 */
export class ChatIndex {
  readonly #options: ChatIndexOptions;
  readonly #folder: string;
  readonly #places: PlacesFile;
  readonly #closing = new AbortController();
  /** Places that could not be written, oldest first. */
  #unwritten: readonly Place[] = [];
  /** The updates, one after the other. */
  #updates: Promise<void> = Promise.resolve();
  #hasReported = false;

  constructor(options: ChatIndexOptions) {
    this.#options = options;
    this.#folder = indexFolder(options.folder);
    this.#places = new PlacesFile(this.#folder);
  }

  /** Reads the chat to its last `wanted` messages at least, with the events that are `unsaved` before each reading. */
  async open(wanted: number, unsaved: () => readonly ChatEvent[], watch: ReadWatch): Promise<OpenedChat> {
    const newest = new NewestPlaces(this.#allPlaces(null));
    const first = wanted < Infinity ? await this.#look(unsaved(), newest) : null;
    if (first !== null && first.bytes > this.#options.limits.readAtOnce) {
      await this.update(watch);
      if (this.#isClosed()) {
        throw failure('chat.windowCloses');
      }
      return openLog(
        wanted,
        new Looks(unsaved, null),
        this.#openParts(() => this.#allPlaces(null)),
      );
    }
    return openLog(
      wanted,
      new Looks(unsaved, first),
      this.#openParts(() => newest.all()),
    );
  }

  /** See `readBefore`. */
  readEarlier(before: Place, wanted: number): Promise<EarlierPart> {
    return readBefore(
      before,
      wanted,
      this.#openParts((place) => this.#allPlaces(place)),
    );
  }

  /** See `glimpseOf`; null also when opening the chat is as quick. */
  async glimpse(wanted: number): Promise<ChatFold | null> {
    try {
      const segments = await segmentSizes(this.#options.folder);
      const newest = await new NewestPlaces(this.#allPlaces(null)).first();
      const isSlow = bytesBehind(newest, segments) > this.#options.limits.readAtOnce;
      return isSlow ? await glimpseOf(segments, wanted) : null;
    } catch (thrown) {
      if (thrown instanceof SegmentChanged || systemCode(thrown) !== null) {
        // Opening the chat tells the reason.
        return null;
      }
      throw thrown;
    }
  }

  /** Brings the index up to date with what is on the disk. Rejects as `IndexUpdate` does. */
  update(watch: ReadWatch): Promise<void> {
    const signals = [this.#closing.signal, ...(watch.signal === undefined ? [] : [watch.signal])];
    const update = this.#updates.then(() => this.#update({ ...watch, signal: AbortSignal.any(signals) }));
    this.#updates = update.catch(() => undefined);
    return update;
  }

  /** What a list of chats shows of this one; null when that is not known of the log as it is now. */
  async row(): Promise<ChatRow | null> {
    return readRow(this.#folder, () => folderFingerprint(this.#options.folder, this.#options.reader));
  }

  /** Breaks updates off. Resolves when nothing is written any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#updates;
  }

  async #update(watch: ReadWatch): Promise<void> {
    const { folder, reader, limits } = this.#options;
    if (this.#isClosed()) {
      return;
    }
    try {
      const fingerprint = await restingFingerprint(folder, reader);
      const update = new IndexUpdate({ folder, places: this.#places, limits, write: (job) => this.#write(job) }, watch);
      const { row, unwritten }: Updated = await update.run();
      this.#unwritten = unwritten;
      if (row !== null && fingerprint !== null && fingerprint === (await restingFingerprint(folder, reader))) {
        await this.#write(() => writeRow(this.#folder, fingerprint, row));
      }
    } catch (thrown) {
      // Nobody waits for it any more, the folder is gone, or someone rewrites the log just now.
      const isVain = this.#isClosed() || systemCode(thrown) === 'ENOENT' || thrown instanceof SegmentChanged;
      if (!isVain) {
        throw storageError(STORAGE_WORK.read, thrown);
      }
    }
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Returns whether it worked. A deleted chat gets nothing. */
  async #write(job: () => Promise<void>): Promise<boolean> {
    try {
      if (await this.#options.isDeleted()) {
        return false;
      }
      await job();
      return true;
    } catch (thrown) {
      // Somebody has deleted the index, or the whole chat, just now.
      if (systemCode(thrown) !== 'ENOENT' && !this.#hasReported) {
        this.#hasReported = true;
        this.#options.report(storageError(STORAGE_WORK.savePlaces, thrown));
      }
      return false;
    }
  }

  /** How much was logged since the newest place, and what was seen for that. Null when the segments cannot be seen. */
  async #look(unsaved: readonly ChatEvent[], newest: NewestPlaces): Promise<(BeforeReading & { readonly bytes: number }) | null> {
    try {
      const [sizes, place] = await Promise.all([segmentSizes(this.#options.folder), newest.first()]);
      return { unsaved, sizes, bytes: bytesBehind(place, sizes) };
    } catch (thrown) {
      if (systemCode(thrown) === null) {
        throw thrown;
      }
      // Reading the chat tells the reason.
      return null;
    }
  }

  async *#allPlaces(before: Place | null): AsyncGenerator<PlaceLine, void, void> {
    for (const place of this.#unwritten.toReversed()) {
      yield { place, start: 0, end: 0 };
    }
    yield* this.#places.backwards(before);
  }

  #openParts(places: Places): OpenParts {
    const { folder, reader, limits } = this.#options;
    return { folder, reader, places, placesTail: limits.placesTail };
  }
}

/** Places that are read once, as far as they are asked for, and can be gone through several times. */
class NewestPlaces {
  readonly #lines: AsyncGenerator<PlaceLine, void, void>;
  readonly #read: PlaceLine[] = [];

  constructor(lines: AsyncGenerator<PlaceLine, void, void>) {
    this.#lines = lines;
  }

  async first(): Promise<Place | null> {
    for await (const { place } of this.all()) {
      return place;
    }
    return null;
  }

  async *all(): AsyncGenerator<PlaceLine, void, void> {
    for (let index = 0; ; index += 1) {
      const line = this.#read[index] ?? (await this.#next());
      if (line === null) {
        return;
      }
      yield line;
    }
  }

  async #next(): Promise<PlaceLine | null> {
    const { value, done } = await this.#lines.next();
    if (done === true) {
      return null;
    }
    this.#read.push(value);
    return value;
  }
}
