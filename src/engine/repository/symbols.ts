/** What a scan knows about the symbols of a source file. */
export interface FileSymbols {
  /** In the order of their lines. */
  readonly definitions: readonly SymbolDefinition[];
  /**
   * How often the file uses names that another file may define: in calls, types, imports and constructors. A map,
   * because source code contains names such as `constructor` and `__proto__`.
   */
  readonly references: ReadonlyMap<string, number>;
  /** See `fileWords`. */
  readonly words: string;
}

export type SymbolKind = 'class' | 'interface' | 'type' | 'enum' | 'function' | 'method' | 'constant' | 'module';

export interface SymbolDefinition {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The line of the name. The first line is 1. */
  readonly line: number;
  /** One line of source code without the body, at most `SIGNATURE_LENGTH` characters. */
  readonly signature: string;
  /** Name of the enclosing definition, or null. */
  readonly container: string | null;
  /** Whether other files cannot use it, because a module of JavaScript or TypeScript does not export it. */
  readonly isLocal: boolean;
}

export const SIGNATURE_LENGTH = 120;

/**
 * Why a scan has no symbols of a file: it is too large, seems generated or minified, cannot be read, or its parser took
 * too long or crashed.
 */
export type ScanProblem = 'tooLarge' | 'generated' | 'unreadable' | 'timeout' | 'crashed';

export interface ScannedFile {
  /** Relative to the scanned folder, with `/`. */
  readonly path: string;
  /** In bytes. 0 if unreadable. */
  readonly size: number;
  /** Epoch milliseconds. 0 if unreadable. */
  readonly mtimeMs: number;
  /** SHA-256 of the bytes in hex. Null if the file was not read. */
  readonly hash: string | null;
  /** Null when the language is unknown, or with a problem. */
  readonly symbols: FileSymbols | null;
  readonly problem: ScanProblem | null;
}
