/** Reports the progress of a copy and can cancel it. */
export interface CopyWatch {
  /** Cancels the copy. The files of the copy are then removed. */
  readonly signal: AbortSignal;
  /** Reports progress. `copied` and `total` are in bytes or in another unit. */
  progress(copied: number, total: number): void;
}

/** Returns a watch for one part of a copy. The part is from share `from` to share `to` of the whole. */
export function partOf(watch: CopyWatch, from: number, to: number): CopyWatch {
  return {
    signal: watch.signal,
    progress: (copied, total) => {
      watch.progress(from + (to - from) * Math.min(1, copied / Math.max(1, total)), 1);
    },
  };
}
