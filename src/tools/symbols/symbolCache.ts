import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { FileSymbols, SymbolDefinition } from '../../engine/repository/symbols.js';

/*
 * Symbols on disk by the content of their files, so that a new window parses only what has changed. A derived file: it
 * may be deleted at any time. Each line has a key, the CRC-32 of the JSON in 8 hexadecimal digits, and the JSON:
 *
 *   1c9a02fe.<sha-256 of the file> 0a1b2c3d {"d":[["A","class",4,"class A",null,false]],"r":[["B",2]],"w":"tide 3"}
 *
 * The key begins with the hash of everything that decides which symbols a content has (`recipeOf`). Windows
 * append to the same file. Damaged lines count as missing.
 */

const LINE = /^([0-9a-f]{8}\.[0-9a-f]{64}) ([0-9a-f]{8}) $/;
const HEAD_LENGTH = 8 + 1 + 64 + 1 + 8 + 1;
const LINE_FEED = 0x0a;

interface StoredLine {
  readonly sum: string;
  /** Offset and length of the JSON in bytes. */
  readonly offset: number;
  readonly length: number;
}

interface StoredSymbols {
  readonly d: readonly (readonly [string, SymbolDefinition['kind'], number, string, string | null, boolean])[];
  readonly r: readonly (readonly [name: string, uses: number])[];
  readonly w: string;
}

export class SymbolCache {
  readonly #path: string;
  readonly #mostBytes: number;
  readonly #note: (text: string) => void;
  readonly #lines = new Map<string, StoredLine>();
  #size = 0;
  #damaged = 0;
  #new: string[] = [];

  /** Reads the keys. `mostBytes` is the limit of the file. `note` gets messages for the log. */
  constructor(path: string, mostBytes: number, note: (text: string) => void) {
    this.#path = path;
    this.#mostBytes = mostBytes;
    this.#note = note;
    this.#open();
  }

  read(key: string): FileSymbols | null {
    const line = this.#lines.get(key);
    if (line === undefined) {
      return null;
    }
    const json = this.#readJson(line);
    if (json === null || sumOf(json) !== line.sum) {
      this.#lines.delete(key);
      this.#damaged++;
      return null;
    }
    // The checksum and the recipe guarantee the shape.
    const { d, r, w } = JSON.parse(json.toString('utf8')) as StoredSymbols;
    return {
      definitions: d.map(([name, kind, at, signature, container, isLocal]) => ({ name, kind, line: at, signature, container, isLocal })),
      references: new Map(r),
      words: w,
    };
  }

  /** Adds symbols, which `save` writes. */
  add(key: string, { definitions, references, words }: FileSymbols): void {
    const d = definitions.map(
      ({ name, kind, line, signature, container, isLocal }) => [name, kind, line, signature, container, isLocal] as const,
    );
    const json = Buffer.from(JSON.stringify({ d, r: [...references], w: words } satisfies StoredSymbols));
    this.#new.push(`${key} ${sumOf(json)} ${json.toString('utf8')}\n`);
  }

  /** Writes the added symbols, and reports the damage found since the last call. */
  save(): void {
    if (this.#damaged > 0) {
      this.#note(`Damaged lines of the symbol cache (their files were parsed again): ${String(this.#damaged)}.`);
      this.#damaged = 0;
    }
    const text = this.#new.join('');
    this.#new = [];
    if (text === '' || this.#size > this.#mostBytes) {
      return;
    }
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      appendFileSync(this.#path, text);
      this.#size += Buffer.byteLength(text);
    } catch (thrown) {
      // The scan goes on without the cache, and the next window parses these files again.
      this.#size = Infinity;
      this.#note(`The symbol cache could not be written: ${textOf(thrown)}`);
    }
  }

  #open(): void {
    const bytes = this.#readAll();
    if (bytes.length > this.#mostBytes) {
      // Most lines belong to contents that no longer exist. The project's files are parsed again.
      rmSync(this.#path, { force: true });
      this.#note('The symbol cache was full and starts again.');
      return;
    }
    this.#size = bytes.length;
    this.#index(bytes);
    if (bytes.length > 0 && bytes.at(-1) !== LINE_FEED) {
      this.#new.push('\n');
    }
  }

  #index(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(LINE_FEED, start);
      const end = found === -1 ? bytes.length : found;
      const [, key, sum] = LINE.exec(bytes.toString('latin1', start, start + HEAD_LENGTH)) ?? [];
      if (key !== undefined && sum !== undefined) {
        this.#lines.set(key, { sum, offset: start + HEAD_LENGTH, length: Math.max(0, end - start - HEAD_LENGTH) });
      } else if (end > start) {
        this.#damaged++;
      }
      start = end + 1;
    }
  }

  #readAll(): Buffer {
    try {
      return readFileSync(this.#path);
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) {
        this.#note(`The symbol cache could not be read: ${textOf(thrown)}`);
      }
      return Buffer.alloc(0);
    }
  }

  #readJson({ offset, length }: StoredLine): Buffer | null {
    try {
      const descriptor = openSync(this.#path, 'r');
      try {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // Another window removed the file. `read` counts a damaged line.
      return null;
    }
  }
}

function sumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
