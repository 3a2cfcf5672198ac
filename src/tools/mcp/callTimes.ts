import type { McpLimits } from './limits.js';

/** Which limit was exceeded: the time without progress, or the total time of a call. */
export type ExceededLimit = 'silent' | 'long';

export interface CallListener {
  readonly over: (which: ExceededLimit) => void;
  /** Called with true when the server asks the user something, and with false after the last answer. */
  readonly asks: (asks: boolean) => void;
}

/** The time limits of one call. The time does not run while the server waits for the user's answer. */
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

  /** Restarts the limit on silence, because the server sent a message about the call. */
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
