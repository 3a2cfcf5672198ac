import type { ChatEvent } from '../../../engine/chat/event.js';
import type { SessionFile } from '../../../engine/chat/slices/sessionFiles.js';
import {
  checkSessionFileSize,
  derivedSummary,
  mimeTypeOf,
  type NewSessionFile,
  sessionFileEntry,
  type SessionFileEntry,
  type SessionFileManager,
  type SessionFilesListener,
} from '../../../engine/context/sessionFiles.js';
import { failure, type LoupeError, toLoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import { isSame } from '../../../engine/same.js';
import { storedText } from '../../../engine/run/largeTexts.js';
import type { Blobs } from '../../../storage/blobs.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { SessionLog } from '../sessionLog.js';
import { textOfBytes } from '../../../engine/context/fileContents.js';

interface StoredSessionFilesPorts {
  readonly log: Pick<SessionLog, 'state' | 'record' | 'checkWritable'>;
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  readonly clock: Clock;
  logError(error: LoupeError): void;
}

/** Maximum bytes of the content cache. VS Code reads a file at each save, and a model often reads it several times. */
const MOST_CACHED_BYTES = 16 * 1024 * 1024;

interface CachedContent {
  readonly version: string;
  readonly bytes: Uint8Array;
}

/**
 * The session files in the log of a chat. The state of the chat is the map of their metadata, and a cache holds the
 * latest contents. Reports the changes of all VS Code windows. A change of Loupe's own log line is reported at once.
 */
export class StoredSessionFiles implements SessionFileManager, Behaviour {
  readonly #ports: StoredSessionFilesPorts;
  readonly #listeners = new Set<SessionFilesListener>();
  readonly #contents = new Map<string, CachedContent>();
  #known: ReadonlyMap<string, SessionFile> = new Map();

  constructor(ports: StoredSessionFilesPorts) {
    this.#ports = ports;
    this.#known = new Map(ports.log.state.sessionFiles);
  }

  listFiles(): readonly SessionFileEntry[] {
    return [...this.#ports.log.state.sessionFiles.values()].map(sessionFileEntry);
  }

  async getFileContent(name: string): Promise<Uint8Array> {
    const file = this.#ports.log.state.sessionFiles.get(name);
    if (file === undefined) {
      throw failure('sessionFile.missing', { path: JSON.stringify(name) });
    }
    const { version } = sessionFileEntry(file);
    const known = this.#contents.get(name);
    if (known?.version === version) {
      return known.bytes;
    }
    const { content } = file;
    if ('bytes' in content) {
      checkSessionFileSize(name, content.bytes);
    }
    const bytes = 'inline' in content ? new TextEncoder().encode(content.inline) : await this.#blob(name, content.blob);
    this.#cache(name, { version, bytes });
    return bytes;
  }

  async putFileContent(name: string, given: NewSessionFile): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    checkSessionFileSize(name, given.bytes.length);
    const { bytes } = given;
    const text = textOfBytes(bytes);
    const before = log.state.sessionFiles.get(name);
    const mimeType = given.mimeType ?? before?.mimeType ?? mimeTypeOf(name, text !== null);
    const summary = given.summary ?? (await this.#summaryAfter(name, text));
    const common = { path: name, mimeType, summary, writtenAt: this.#ports.clock.now() };
    const file: SessionFile =
      text === null
        ? { ...common, content: { blob: await this.#ports.blobs.put(bytes), bytes: bytes.length }, isBinary: true }
        : { ...common, content: await storedText(text, this.#keeping()) };
    // Deleting the chat, or a newer log line, can have made the log read-only meanwhile.
    log.checkWritable();
    await log.record([{ type: 'session-file-put', runId: null, file }], 'durable');
  }

  async #blob(name: string, blob: string): Promise<Uint8Array> {
    try {
      return await this.#ports.blobs.get(blob);
    } catch (thrown) {
      throw failure('sessionFile.lost', { path: JSON.stringify(name) }, { cause: thrown });
    }
  }

  async deleteFile(name: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    if (!log.state.sessionFiles.has(name)) {
      throw failure('sessionFile.missing', { path: JSON.stringify(name) });
    }
    await log.record([{ type: 'session-file-deleted', runId: null, path: name }], 'durable');
  }

  /** Returns the versions of a file that can be restored, the latest first. Throws `sessionFile.missing`. */
  earlierVersions(name: string): readonly [SessionFile, ...SessionFile[]] {
    const [latest, ...older] = [...(this.#ports.log.state.earlierSessionFiles.get(name) ?? [])].reverse();
    if (latest === undefined) {
      throw failure('sessionFile.missing', { path: JSON.stringify(name) });
    }
    return [latest, ...older];
  }

  /** Restores an earlier version of a file, also of a deleted one. The version until now becomes an earlier one. */
  async restoreFile(file: SessionFile): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    await log.record([{ type: 'session-file-put', runId: null, file }], 'durable');
  }

  onChange(listener: SessionFilesListener): void {
    this.#listeners.add(listener);
  }

  /** Reports the differences to the files before the log was read again. */
  chatLoaded(): void {
    this.#report();
  }

  eventsLogged(events: readonly ChatEvent[]): void {
    if (events.some(({ type }) => type === 'session-file-put' || type === 'session-file-deleted')) {
      this.#report();
    }
  }

  #report(): void {
    const before = this.#known;
    const now = new Map(this.#ports.log.state.sessionFiles);
    this.#known = now;
    const changed = [...now.values()].filter((file) => !isSameEntry(before.get(file.path), file));
    const deleted = [...before.keys()].filter((name) => !now.has(name));
    for (const name of [...changed.map(({ path }) => path), ...deleted]) {
      this.#contents.delete(name);
    }
    for (const listener of this.#listeners) {
      changed.forEach((file) => {
        listener.fileChanged(sessionFileEntry(file));
      });
      deleted.forEach((name) => {
        listener.fileDeleted(name);
      });
    }
  }

  /**
   * Returns the summary after a change without a given one. Keeps a summary that was not derived from the content. If
   * the earlier content cannot be read, derives the summary, so that the file can still be saved.
   */
  async #summaryAfter(name: string, text: string | null): Promise<string> {
    const derived = text === null ? '' : derivedSummary(text);
    const before = this.#ports.log.state.sessionFiles.get(name);
    if (before === undefined) {
      return derived;
    }
    const { summary } = sessionFileEntry(before);
    try {
      const earlier = textOfBytes(await this.getFileContent(name));
      const wasDerived = summary === '' || (earlier !== null && summary === derivedSummary(earlier));
      return wasDerived ? derived : summary;
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      return derived;
    }
  }

  #keeping(): Parameters<typeof storedText>[1] {
    const { blobs } = this.#ports;
    return { keepBlob: blobs.put.bind(blobs), reportError: this.#ports.logError.bind(this.#ports) };
  }

  #cache(name: string, content: CachedContent): void {
    this.#contents.delete(name);
    this.#contents.set(name, content);
    let bytes = [...this.#contents.values()].reduce((sum, each) => sum + each.bytes.length, 0);
    for (const [oldest, each] of this.#contents) {
      if (bytes <= MOST_CACHED_BYTES) {
        break;
      }
      bytes -= each.bytes.length;
      this.#contents.delete(oldest);
    }
  }
}

/** Whether a version shows what the earlier one showed, whenever it was written. */
function isSameEntry(before: SessionFile | undefined, now: SessionFile): boolean {
  return before !== undefined && isSame(sessionFileEntry(before), sessionFileEntry(now));
}
