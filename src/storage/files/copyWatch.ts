/** Follows a copy, and can cancel it. */
export interface CopyWatch {
  /** Cancels the copy, which then leaves no files. */
  readonly signal: AbortSignal;
  /** How much is done, of how much: in bytes, or in another unit that both have. */
  progress(copied: number, total: number): void;
}

/** Follows the part of a copy from `from` to `to`, as shares of all of it. */
export function partOf(watch: CopyWatch, from: number, to: number): CopyWatch {
  return {
    signal: watch.signal,
    progress: (copied, total) => {
      watch.progress(from + (to - from) * Math.min(1, copied / Math.max(1, total)), 1);
    },
  };
}
