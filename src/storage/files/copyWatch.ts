/** Reports the progress of a copy and can cancel it. */
export interface CopyWatch {
  /** Cancels the copy. The files of the copy are then removed. */
  readonly signal: AbortSignal;
  /** Reports progress. `copied` and `total` have the same unit, such as bytes. */
  progress(copied: number, total: number): void;
}

/** Returns a watch for one part of a copy. `from` and `to`: progress of the whole before and after the part, 0 to 1. */
export function partOf(watch: CopyWatch, from: number, to: number): CopyWatch {
  return {
    signal: watch.signal,
    progress: (copied, total) => {
      watch.progress(from + (to - from) * Math.min(1, copied / Math.max(1, total)), 1);
    },
  };
}
