import type { McpLimits } from '../limits.js';

/** The wait until a failed server can start. Each further failure doubles the wait. Uses a monotonic clock, in ms. */
export class CrashWait {
  readonly #limits: Pick<McpLimits, 'firstWaitMs' | 'longestWaitMs' | 'steadyMs'>;
  #count = 0;
  #problem = '';
  #startedAt: number | null = null;
  #until = 0;

  constructor(limits: Pick<McpLimits, 'firstWaitMs' | 'longestWaitMs' | 'steadyMs'>) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

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

  /** Prevents starts until `forget` is called, because only the user can solve the problem. */
  failedForGood(problem: string): void {
    this.#count += 1;
    this.#problem = problem;
    this.#until = Infinity;
  }

  /** Returns the remaining wait in ms. 0 without a wait. */
  leftAt(now: number): number {
    return this.#count === 0 ? 0 : Math.max(0, this.#until - now);
  }

  forget(): void {
    this.#count = 0;
  }
}
