import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { copyGrammars } from '../../../build/grammars.mjs';
import type { ScannedFile } from '../../../src/engine/repository/symbols.js';
import { SymbolScanner, type SymbolScannerOptions } from '../../../src/tools/symbols/symbolScanner.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder with source files, and scanners of it with a real thread and the real grammars. */
export class ScanFolder {
  readonly folder: string;
  /** Messages that scanners logged. */
  readonly logged: string[] = [];
  readonly #scanners: SymbolScanner[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<ScanFolder> {
    const made = new ScanFolder(await mkdtemp(join(tmpdir(), 'loupe-symbols-')));
    await Promise.all([
      mkdir(made.root),
      copyGrammars(made.grammars),
      esbuild.build({
        entryPoints: ['src/tools/symbols/symbolWorker.ts'],
        outfile: join(made.folder, 'symbolWorker.mjs'),
        bundle: true,
        format: 'esm',
        platform: 'node',
      }),
    ]);
    return made;
  }

  get root(): string {
    return join(this.folder, 'root');
  }

  get cache(): string {
    return join(this.folder, 'cache/symbols');
  }

  get grammars(): string {
    return join(this.folder, 'grammars');
  }

  async remove(): Promise<void> {
    this.endThreads();
    await rm(this.folder, { recursive: true });
  }

  endThreads(): void {
    for (const scanner of this.#scanners.splice(0)) {
      scanner.dispose();
    }
  }

  scanner(changed: Partial<SymbolScannerOptions>): SymbolScanner {
    const scanner = new SymbolScanner({
      script: join(this.folder, 'symbolWorker.mjs'),
      grammars: this.grammars,
      cache: this.cache,
      limitMs: 60_000,
      idleMs: 60_000,
      logInfo: (text) => this.logged.push(text),
      ...changed,
    });
    this.#scanners.push(scanner);
    return scanner;
  }

  async write(files: Files): Promise<string[]> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFile(join(this.root, path), content);
    }
    return Object.keys(files);
  }

  /** Scans files of the root. */
  scan(
    scanner: SymbolScanner,
    files: readonly string[],
    known: ReadonlyMap<string, ScannedFile>,
  ): Promise<ReadonlyMap<string, ScannedFile>> {
    return scanner.scan({ root: this.root, files, known, signal: new AbortController().signal, progress: () => undefined });
  }

  /** Writes files, and scans them with a new scanner that knows nothing. */
  async scanNew(files: Files): Promise<ReadonlyMap<string, ScannedFile>> {
    return this.scan(this.scanner({}), await this.write(files), new Map());
  }
}

/** Returns the names of the definitions, or the problem. */
export function namesIn(file: ScannedFile | undefined): readonly string[] | string | null | undefined {
  return file?.symbols === null ? file.problem : file?.symbols.definitions.map(({ name }) => name);
}

/** The bytes of a grammar whose only function runs `body`, WebAssembly instructions. */
export function grammarFile(name: string, body: readonly number[]): Uint8Array {
  const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
  const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];
  const code = [0, ...body, 0x0b];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // A library without memory and tables of its own.
    ...section(0, [...text('dylink.0'), 1, 4, 0, 0, 0, 0]),
    // One type: a function without parameters that returns an i32.
    ...section(1, [1, 0x60, 0, 1, 0x7f]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text(`tree_sitter_${name}`), 0, 0]),
    ...section(10, [1, code.length, ...code]),
  ]);
}

/** `loop br 0 end unreachable` */
export const ENDLESS = [0x03, 0x40, 0x0c, 0, 0x0b, 0x00];
/** `unreachable` */
export const CRASH = [0x00];
