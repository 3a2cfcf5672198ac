import type { Clock } from '../../../engine/ports.js';

/** Longest wait in ms. After the computer slept or its clock was changed, Loupe notices it within this time. */
const MOST_WAIT_MS = 30_000;

/** Calls a check again and again, each time when the check before wants it. */
export class WakeUps {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #timer: Pick<Clock, 'sleep'>;
  #current = new AbortController();

  constructor(clock: Pick<Clock, 'now'>, timer: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
    this.#timer = timer;
  }

  stop(): void {
    this.#current.abort();
  }

  /** Replaces the checks so far. `check` returns the time of the next check (epoch ms), or null to end. */
  async restart(first: number, check: (signal: AbortSignal) => Promise<number | null>): Promise<void> {
    this.stop();
    const { signal } = (this.#current = new AbortController());
    let at: number | null = first;
    while (at !== null) {
      await this.#waitUntil(at, signal);
      at = signal.aborted ? null : await check(signal);
    }
  }

  /** Waits in short waits, because a sleeping computer does not count them. Returns early if the clock is set back. */
  async #waitUntil(at: number, signal: AbortSignal): Promise<void> {
    let [before, now] = [this.#clock.now(), this.#clock.now()];
    while (now < at && now >= before && !signal.aborted) {
      await this.#timer.sleep(Math.min(at - now, MOST_WAIT_MS), signal);
      before = now;
      now = this.#clock.now();
    }
  }
}
