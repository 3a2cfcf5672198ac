import { failIfAborted, failure } from '../../engine/errors.js';
import type { ScannedFile } from '../../engine/repository/symbols.js';
import { languageOf } from './languages.js';
import type { ReportedFile, RequestedFile, ScanReply, ScanRequest } from './scanMessages.js';
import { ScanThread, type ScanThreadOptions, type ThreadFailure } from './scanThread.js';

/** Files of one request to the thread. A file that ends the thread costs up to this many files their work. */
const REQUESTED_FILES = 32;

/** After this many files of a language have ended the thread, the scan skips its other files. */
const MOST_FAILURES = 3;

export interface SymbolScannerOptions extends ScanThreadOptions {
  /** After this time without a scan, the thread ends. */
  readonly idleMs: number;
  readonly logInfo: (text: string) => void;
}

export interface Scan {
  /** Folder of the files. A link must not lead out of it. */
  readonly root: string;
  /** Paths relative to the root, with `/`. */
  readonly files: readonly string[];
  /** The result of an earlier scan of this root. It can have other files. */
  readonly known: ReadonlyMap<string, ScannedFile>;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** Finds the symbols of source files in a thread of its own. Scans run one after another. */
export class SymbolScanner {
  readonly #options: SymbolScannerOptions;
  #thread: ScanThread | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #scans = 0;
  #idle: NodeJS.Timeout | null = null;

  constructor(options: SymbolScannerOptions) {
    this.#options = options;
  }

  /** Returns an entry for each of the files. Rejects with `symbols.cancelled` when `signal` aborts. */
  async scan(scan: Scan): Promise<ReadonlyMap<string, ScannedFile>> {
    this.#scans++;
    this.#stopIdling();
    const done = this.#last.then(() => this.#run(scan));
    this.#last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      this.#scans--;
      this.#idleFrom();
    }
  }

  /** Ends the thread. A later scan starts a new one. */
  dispose(): void {
    this.#stopIdling();
    this.#thread?.end();
    this.#thread = null;
  }

  async #run({ root, files, known, signal, progress }: Scan): Promise<ReadonlyMap<string, ScannedFile>> {
    const found = new Map<string, ScannedFile>();
    const failures = new Map<string, number>();
    let pending = [...new Set(files)];
    const total = pending.length;
    for (let at = 0; at < pending.length; ) {
      failIfAborted(signal, 'symbols.cancelled');
      const paths = pending.slice(at, at + REQUESTED_FILES);
      const reply = await this.#ask({ root, files: paths.map((path) => ({ path, known: statOf(known.get(path)) })) }, signal);
      if ('files' in reply) {
        for (const file of reply.files) {
          found.set(file.path, scannedFile(file, known.get(file.path)));
        }
        at += reply.files.length;
      } else {
        const failed = this.#failedFiles(reply, { paths, pending: pending.slice(at), failures });
        for (const file of failed) {
          found.set(file.path, file);
        }
        pending = pending.slice(at).filter((path) => !found.has(path));
        at = 0;
      }
      progress(found.size, total);
    }
    failIfAborted(signal, 'symbols.cancelled');
    return found;
  }

  async #ask(request: ScanRequest, signal: AbortSignal): Promise<ScanReply | ThreadFailure> {
    const thread = this.#thread?.hasEnded === false ? this.#thread : new ScanThread(this.#options);
    this.#thread = thread;
    const reply = await thread.ask(request, signal);
    if (reply === null) {
      throw failure('symbols.cancelled');
    }
    if ('files' in reply) {
      for (const note of reply.notes) {
        this.#options.logInfo(note);
      }
    }
    return reply;
  }

  /** Returns the file that ended the thread. If the language did this too often, also its other pending files. */
  #failedFiles({ index, problem, reason, ...stat }: ThreadFailure, { paths, pending, failures }: FailedRequest): readonly ScannedFile[] {
    const path = index === null ? undefined : paths[index];
    if (path === undefined) {
      throw failure('symbols.noThread', { reason });
    }
    this.#options.logInfo(`${JSON.stringify(path)} has no symbols in the repository map, because its parser failed: ${reason}`);
    const file = { hash: null, symbols: null, problem };
    const language = languageOf(path)?.grammar ?? '';
    const count = (failures.get(language) ?? 0) + 1;
    failures.set(language, count);
    const others = count < MOST_FAILURES ? [] : pending.filter((other) => other !== path && languageOf(other)?.grammar === language);
    if (others.length > 0) {
      this.#options.logInfo(
        `The parser failed ${String(count)} times. Files without symbols in the same language: ${String(others.length)}.`,
      );
    }
    // The size and time of the others are unknown, so the next scan tries them again.
    return [{ path, ...stat, ...file }, ...others.map((other) => ({ path: other, size: 0, mtimeMs: 0, ...file }))];
  }

  #idleFrom(): void {
    if (this.#scans === 0 && this.#thread !== null) {
      this.#idle = setTimeout(() => {
        this.dispose();
      }, this.#options.idleMs).unref();
    }
  }

  #stopIdling(): void {
    clearTimeout(this.#idle ?? undefined);
    this.#idle = null;
  }
}

interface FailedRequest {
  readonly paths: readonly string[];
  /** The files without a result, with those of the request. */
  readonly pending: readonly string[];
  /** Number of files that ended the thread, by grammar. */
  readonly failures: Map<string, number>;
}

function statOf(known: ScannedFile | undefined): RequestedFile['known'] {
  return known === undefined ? null : { size: known.size, mtimeMs: known.mtimeMs, hash: known.hash, problem: known.problem };
}

function scannedFile({ symbols, ...file }: ReportedFile, known: ScannedFile | undefined): ScannedFile {
  return { ...file, symbols: symbols === 'known' ? (known?.symbols ?? null) : symbols };
}
