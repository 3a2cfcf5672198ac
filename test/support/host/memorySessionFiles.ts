import {
  checkSessionFileSize,
  derivedSummary,
  mimeTypeOf,
  type NewSessionFile,
  type SessionFileEntry,
  type SessionFileManager,
  type SessionFilesListener,
} from '../../../src/engine/context/sessionFiles.js';
import { failure } from '../../../src/engine/errors.js';
import { textOfBytes } from '../../../src/engine/context/fileContents.js';

interface MemoryFile extends NewSessionFile {
  readonly entry: SessionFileEntry;
}

/** Session files in memory: a second, simpler implementation. */
export class MemorySessionFiles implements SessionFileManager {
  readonly #files = new Map<string, MemoryFile>();
  readonly #listeners = new Set<SessionFilesListener>();
  #versions = 0;

  listFiles(): readonly SessionFileEntry[] {
    return [...this.#files.values()].map(({ entry }) => entry);
  }

  getFileContent(name: string): Promise<Uint8Array> {
    const file = this.#files.get(name);
    return file === undefined ? Promise.reject(missing(name)) : Promise.resolve(file.bytes);
  }

  async putFileContent(name: string, file: NewSessionFile): Promise<void> {
    await Promise.resolve();
    checkSessionFileSize(name, file.bytes.length);
    const before = this.#files.get(name);
    const text = textOfBytes(file.bytes);
    const kept = before !== undefined && before.summary !== null ? before.summary : null;
    const summary = file.summary ?? kept;
    this.#versions += 1;
    const entry = {
      name,
      mimeType: file.mimeType ?? before?.entry.mimeType ?? mimeTypeOf(name, text !== null),
      summary: summary ?? (text === null ? '' : derivedSummary(text)),
      isText: text !== null,
      bytes: file.bytes.length,
      version: String(this.#versions),
    };
    this.#files.set(name, { ...file, summary, entry });
    for (const listener of this.#listeners) {
      listener.fileChanged(entry);
    }
  }

  deleteFile(name: string): Promise<void> {
    if (!this.#files.delete(name)) {
      return Promise.reject(missing(name));
    }
    for (const listener of this.#listeners) {
      listener.fileDeleted(name);
    }
    return Promise.resolve();
  }

  onChange(listener: SessionFilesListener): void {
    this.#listeners.add(listener);
  }
}

function missing(name: string): Error {
  return failure('sessionFile.missing', { path: JSON.stringify(name) });
}
