import type { McpLimits } from '../limits.js';

/** How long a server that failed is left alone: twice as long after each failure in a row. Times are of a clock that is never set. */
export class CrashWait {
  readonly #limits: Pick<McpLimits, 'firstWaitMs' | 'longestWaitMs' | 'steadyMs'>;
  #count = 0;
  #problem = '';
  #startedAt: number | null = null;
  #until = 0;

  constructor(limits: Pick<McpLimits, 'firstWaitMs' | 'longestWaitMs' | 'steadyMs'>) {
    this.#limits = limits;
  }

  /** How many failures there were in a row. */
  get count(): number {
    return this.#count;
  }

  /** What the last one was. */
  get problem(): string {
    return this.#problem;
  }

  started(now: number): void {
    this.#startedAt = now;
  }

  failed(problem: string, now: number): void {
    const { firstWaitMs, longestWaitMs, steadyMs } = this.#limits;
    const wasSteady = this.#startedAt !== null && now - this.#startedAt >= steadyMs;
    this.#count = wasSteady ? 1 : this.#count + 1;
    this.#problem = problem;
    this.#startedAt = null;
    this.#until = now + Math.min(firstWaitMs * 2 ** (this.#count - 1), longestWaitMs);
  }

  /** Only the user can help: it is not tried again until `forget`. */
  failedForGood(problem: string): void {
    this.#count += 1;
    this.#problem = problem;
    this.#until = Infinity;
  }

  /** How long in ms to wait; 0 when it may start. */
  leftAt(now: number): number {
    return this.#count === 0 ? 0 : Math.max(0, this.#until - now);
  }

  forget(): void {
    this.#count = 0;
  }
}
