import type { ToolResultContent } from './model/part.js';

/*
 * Interfaces for everything that the engine needs from outside. All side effects use these interfaces, so that the
 * engine runs the same in the extension host, in plain Node and in tests.
 */

export interface Clock {
  /** The current time in epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Pauses long work, so that other tasks can run. */
export type Pause = () => Promise<void>;

/** Creates random hexadecimal digits for ids. */
export interface RandomHex {
  hex(count: number): string;
}

/** SHA-256 of the UTF-8 bytes of `text`, in hex. */
export type Sha256 = (text: string) => string;

/** Counts the tokens of a text for a model. Names of special tokens in the text are counted as ordinary text. */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
  /** Counts a text in parts, each within a few milliseconds. The sum of the numbers is the count. */
  countInParts(text: string): Iterable<number>;
  /** Starts the count of a text that arrives in pieces. */
  stream(): GrowingCount;
}

export interface GrowingCount {
  /** Adds text to the count. The text may be cut anywhere, even within a surrogate pair. */
  append(text: string): void;
  read(): StreamedTokens;
}

export interface StreamedTokens {
  readonly tokens: number;
  /** False if the end of the text is estimated, because an exact count at each read would take too long. */
  readonly isExact: boolean;
}

export interface ToolOutcome {
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
}

/** A progress report of a tool's MCP server. `total` and `text` are null if the server did not report them. */
export interface ToolProgress {
  readonly done: number;
  readonly total: number | null;
  readonly text: string | null;
  /** Whether the call waits because the MCP server asks the user something. */
  readonly asks: boolean;
}

export interface ToolCallOptions {
  /** Aborts when the user stops the call, or at the call's time limit. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Stores an image with the chat. Resolves with the SHA-256 (hex) of the bytes. Rejects with a `storage` error. */
  readonly keepBlob: (bytes: Uint8Array) => Promise<string>;
}

/** Computes line differences between texts, as unified diffs without file headers. */
export interface TextDifferences {
  /** Returns the difference. Null if it has more than `most` lines. Higher numbers can take longer. */
  between(before: string, after: string, most: number): string | null;
  /** Applies a difference to `before` and returns the result. Null if the difference does not fit `before`. */
  applied(difference: string, before: string): string | null;
}
