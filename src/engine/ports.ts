import type { ToolResultContent } from './model/part.js';

/*
 * What the engine needs from outside. All side effects go through these interfaces, so that the engine runs the same in
 * the extension host, in plain Node and in tests.
 */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Lets other tasks run during long work. */
export type Pause = () => Promise<void>;

/** Creates random hexadecimal digits for ids. */
export interface RandomHex {
  hex(count: number): string;
}

/** SHA-256 of the UTF-8 bytes of `text`, in hex. */
export type Sha256 = (text: string) => string;

/** Counts tokens as a model sees the text. Special-token text counts as ordinary text. */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
  /** Counts in parts. Each part is counted on demand within a few milliseconds; their sum is the count. */
  countInParts(text: string): Iterable<number>;
  /** Starts a separate count for a text that arrives in pieces. */
  stream(): GrowingCount;
}

export interface GrowingCount {
  /** Adds text. It may be cut anywhere, even within a surrogate pair. */
  append(text: string): void;
  read(): StreamedTokens;
}

export interface StreamedTokens {
  readonly tokens: number;
  /** False if the end of the text is estimated, because counting it at each read would take too long. */
  readonly isExact: boolean;
}

export interface ToolOutcome {
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
}

/** A progress report of a call's server. `total` and `text` are null if the server did not report them. */
export interface ToolProgress {
  readonly done: number;
  readonly total: number | null;
  readonly text: string | null;
  /** Whether the call waits because its server asks the user something. */
  readonly asks: boolean;
}

export interface ToolCallOptions {
  /** Aborted by the user or by the time limit of the call. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Stores the bytes of an image with the chat, and resolves with their SHA-256 (hex). Rejects with `storage`. */
  readonly keepBlob: (bytes: Uint8Array) => Promise<string>;
}

/** Line differences of texts, as unified diffs without file headers. */
export interface TextDifferences {
  /** Null if the texts have so little in common that finding the shortest difference would take too long. */
  between(before: string, after: string): string | null;
  /** Returns the text after a difference. Null if the difference does not fit `before`. */
  applied(difference: string, before: string): string | null;
}
