import { parentPort, workerData } from 'node:worker_threads';
import type { FileSymbols } from '../../engine/repository/symbols.js';
import { languageOf, type Language } from './languages.js';
import { SourceReader } from './readSource.js';
import {
  CurrentFile,
  type ReportedFile,
  type RequestedFile,
  type ScanReply,
  type ScanRequest,
  type ScanThreadData,
} from './scanMessages.js';
import { SymbolCache } from './symbolCache.js';
import { recipeOf, SymbolParser } from './symbolParser.js';

/*
 * The script of the thread that reads and parses the files of a scan (`symbolScanner.ts`). An error of a grammar ends
 * the thread, because the memory of a crashed parser can be damaged. The scan then goes on in a new thread.
 */

/** A reply has about this many definitions and references at most. More would block the window that reads the reply. */
const SYMBOLS_OF_REPLY = 4_000;

/** Bytes of the symbol cache. Enough for about 60,000 files. */
const CACHE_BYTES = 128 * 1024 * 1024;

class ScanWorker {
  readonly #grammars: string;
  readonly #current: CurrentFile;
  readonly #cache: SymbolCache;
  readonly #notes: string[] = [];
  #parser: SymbolParser | null = null;

  constructor({ grammars, cache, current }: ScanThreadData) {
    this.#grammars = grammars;
    this.#current = new CurrentFile(current);
    this.#cache = new SymbolCache(cache, CACHE_BYTES, (text) => this.#notes.push(text));
  }

  async reply({ root, files }: ScanRequest): Promise<ScanReply> {
    const reader = new SourceReader(root, (stat) => {
      this.#current.setStat(stat);
    });
    const reported: ReportedFile[] = [];
    let symbols = 0;
    for (const [index, file] of files.entries()) {
      this.#current.set(index);
      const report = await this.#scan(reader, file);
      reported.push(report);
      symbols += sizeOf(report);
      if (symbols > SYMBOLS_OF_REPLY) {
        break;
      }
    }
    this.#current.set(null);
    this.#cache.save();
    return { files: reported, notes: this.#notes.splice(0) };
  }

  async #scan(reader: SourceReader, { path, known }: RequestedFile): Promise<ReportedFile> {
    const language = languageOf(path);
    const read = reader.read(path, known, language !== null);
    if (language === null || !('text' in read)) {
      const { size, mtimeMs, hash } = read;
      const [problem, symbols] = 'text' in read ? [null, null] : [read.problem, read.isKnown ? ('known' as const) : null];
      return { path, size, mtimeMs, hash, problem, symbols };
    }
    const { size, mtimeMs, hash, text } = read;
    return { path, size, mtimeMs, hash, problem: null, symbols: await this.#symbols(language, hash, text) };
  }

  async #symbols(language: Language, hash: string, text: string): Promise<FileSymbols> {
    const key = `${recipeOf(language)}.${hash}`;
    const stored = this.#cache.read(key);
    if (stored !== null) {
      return stored;
    }
    this.#parser ??= await SymbolParser.load(this.#grammars);
    const symbols = await this.#parser.parse(language, text);
    this.#cache.add(key, symbols);
    return symbols;
  }
}

function sizeOf({ symbols }: ReportedFile): number {
  return symbols === null || symbols === 'known' ? 0 : symbols.definitions.length + symbols.references.size;
}

const worker = new ScanWorker(workerData as ScanThreadData);
parentPort?.on('message', (request: ScanRequest) => {
  void worker.reply(request).then((reply) => parentPort?.postMessage(reply));
});
