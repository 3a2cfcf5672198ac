import type { ToolResultContent } from './model/part.js';

/*
 * What the engine needs from outside. Everything impure comes in through these, so that the engine runs the
 * same in the extension host, in plain Node and in a test.
 */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Lets other tasks run in the middle of long work. */
export type Pause = () => Promise<void>;

/** Source of randomness for ids: `count` hexadecimal digits. */
export interface RandomHex {
  hex(count: number): string;
}

/** SHA-256 of the UTF-8 bytes of `text`, in hex. */
export type Sha256 = (text: string) => string;

/** Counts tokens of text as a model sees it; special-token text is ordinary text. */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
  /** The same in parts, each counted when it is asked for and in some milliseconds at most. Their sum is the count. */
  countInParts(text: string): Iterable<number>;
  /** A count of its own for a text that arrives in pieces. */
  stream(): GrowingCount;
}

/** The tokens of a text that grows. */
export interface GrowingCount {
  /** Continues the text; it may be cut anywhere, also within a surrogate pair. */
  append(text: string): void;
  read(): StreamedTokens;
}

export interface StreamedTokens {
  readonly tokens: number;
  /** False when the end of the text is estimated, because counting it at every read would take too long. */
  readonly isExact: boolean;
}

export interface ToolOutcome {
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
}

/** How far a call has come, as its server tells it. `total` and `text` are null where the server says nothing of them. */
export interface ToolProgress {
  readonly done: number;
  readonly total: number | null;
  readonly text: string | null;
  /** Whether the call waits for the user, because its server asks them something. */
  readonly asks: boolean;
}

export interface ToolCallOptions {
  /** Aborted by the user, and when the time for the call is over. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Stores the bytes of an image in the blobs of the chat, and resolves with their SHA-256 (hex). Rejects with `storage`. */
  readonly keepBlob: (bytes: Uint8Array) => Promise<string>;
}

/** Differences of texts by lines, as unified diffs without file headers. */
export interface TextDifferences {
  /** Null where the texts have so little in common that looking for the shortest difference would take long. */
  between(before: string, after: string): string | null;
  /** The text after a difference; null when it is not one of `before`. */
  applied(difference: string, before: string): string | null;
}
