import type { FileSymbols, ScannedFile } from '../../engine/repository/symbols.js';

/*
 * Messages between a scan and its thread. The scan asks for some files, and the thread replies with these files or the
 * first of them: so each message is small, and the scan never gets more than it can handle.
 */

/** The `workerData` of the thread. */
export interface ScanThreadData {
  /** Folder of the grammars and of the parser. */
  readonly grammars: string;
  /** File with stored symbols. It may be missing. */
  readonly cache: string;
  readonly current: SharedArrayBuffer;
}

export interface ScanRequest {
  readonly root: string;
  readonly files: readonly RequestedFile[];
}

export interface RequestedFile {
  readonly path: string;
  /** What the last scan found. Null for a new file. */
  readonly known: Omit<ScannedFile, 'path' | 'symbols'> | null;
}

/** `symbols` is `known` if they are those of the last scan. */
export interface ReportedFile extends Omit<ScannedFile, 'symbols'> {
  readonly symbols: FileSymbols | 'known' | null;
}

export interface ScanReply {
  /** The first of the requested files, at least one. */
  readonly files: readonly ReportedFile[];
  /** Messages for the log. */
  readonly notes: readonly string[];
}

/**
 * The file that the thread reads now. In shared memory, because a thread that hangs or crashes sends no message.
 */
export class CurrentFile {
  readonly buffer: SharedArrayBuffer;
  readonly #index: Int32Array;
  readonly #stat: Float64Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#index = new Int32Array(buffer, 0, 1);
    this.#stat = new Float64Array(buffer, 8, 2);
  }

  static create(): CurrentFile {
    const current = new CurrentFile(new SharedArrayBuffer(24));
    current.set(null);
    return current;
  }

  /** Index in the request, or null between files. */
  get index(): number | null {
    const index = Atomics.load(this.#index, 0);
    return index === -1 ? null : index;
  }

  get stat(): { readonly size: number; readonly mtimeMs: number } {
    return { size: this.#stat[0] ?? 0, mtimeMs: this.#stat[1] ?? 0 };
  }

  set(index: number | null): void {
    this.setStat({ size: 0, mtimeMs: 0 });
    Atomics.store(this.#index, 0, index ?? -1);
  }

  setStat({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): void {
    this.#stat.set([size, mtimeMs]);
  }
}
