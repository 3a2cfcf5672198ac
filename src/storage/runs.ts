import { runOf, type ChatEvent } from '../engine/chat/event.js';
import type { NewEvent, EventType } from '../engine/chat/slices/table.js';

const RUN_ENDS: ReadonlySet<EventType> = new Set<EventType>([
  'run-committed',
  'run-stopped',
  'run-failed',
  'run-rolled-back',
  'run-interrupted',
]);

/** The id of the run that an event ends; null when it ends none. */
export function endedRun(event: NewEvent): string | null {
  return RUN_ENDS.has(event.type) ? runOf(event) : null;
}

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
