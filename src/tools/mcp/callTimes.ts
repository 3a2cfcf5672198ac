import type { McpLimits } from './limits.js';

/** The exceeded time limit of a call: the time without progress (`silent`), or the total time (`long`). */
export type ExceededLimit = 'silent' | 'long';

export interface CallListener {
  readonly over: (which: ExceededLimit) => void;
  /** Called with true when the server asks the user a question, and with false when all questions have answers. */
  readonly asks: (asks: boolean) => void;
}

/** The time limits of one call. Both limits pause while the server waits for the user's answer. */
export class CallTimes {
  readonly #silentMs: number;
  readonly #news: CallListener;
  #leftMs: number;
  #startedAt = 0;
  #silent: NodeJS.Timeout | undefined;
  #long: NodeJS.Timeout | undefined;
  #pauses = 0;
  #isEnded = false;

  constructor({ silentCallMs, longestCallMs }: Pick<McpLimits, 'silentCallMs' | 'longestCallMs'>, news: CallListener) {
    this.#silentMs = silentCallMs;
    this.#leftMs = longestCallMs;
    this.#news = news;
    this.#run();
  }

  /** Restarts the time limit on silence. Call this when the server sends progress. */
  progress(): void {
    if (this.#pauses === 0 && !this.#isEnded) {
      clearTimeout(this.#silent);
      this.#silent = setTimeout(this.#news.over, this.#silentMs, 'silent');
    }
  }

  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses === 1) {
      this.#clear();
      this.#leftMs -= performance.now() - this.#startedAt;
      this.#news.asks(true);
    }
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#isEnded) {
      this.#run();
      this.#news.asks(false);
    }
  }

  end(): void {
    this.#isEnded = true;
    this.#clear();
  }

  #run(): void {
    this.#startedAt = performance.now();
    this.#silent = setTimeout(this.#news.over, this.#silentMs, 'silent');
    this.#long = setTimeout(this.#news.over, Math.max(0, this.#leftMs), 'long');
  }

  #clear(): void {
    clearTimeout(this.#silent);
    clearTimeout(this.#long);
  }
}
