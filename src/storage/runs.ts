import { endedRun, runOf, type ChatEvent } from '../engine/chat/event.js';

/**
 * The runs without an end among the events taken so far. A run whose start was lost to a damaged line counts, too:
 * its other lines still need an end.
 */
export class OpenRuns {
  readonly #open = new Map<string, string>();
  readonly #ended = new Set<string>();

  take(event: ChatEvent): void {
    const runId = runOf(event);
    if (runId === null) {
      return;
    }
    if (endedRun(event) !== null) {
      this.#ended.add(runId);
      this.#open.delete(runId);
    } else if (!this.#open.has(runId) && !this.#ended.has(runId)) {
      this.#open.set(runId, event.writer);
    }
  }

  has(runId: string): boolean {
    return this.#open.has(runId);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Ids of open runs, each with the writer of its first event. */
  list(): readonly (readonly [runId: string, writer: string])[] {
    return [...this.#open];
  }
}
