import { runOf, type ChatEvent } from '../engine/chat/event.js';
import type { EventDraft, EventType } from '../engine/chat/slices/table.js';

const RUN_ENDS: ReadonlySet<EventType> = new Set<EventType>([
  'run-committed',
  'run-stopped',
  'run-failed',
  'run-rolled-back',
  'run-interrupted',
]);

/** The run that an event ends; null when it ends none. */
export function endedRun(event: EventDraft): string | null {
  return RUN_ENDS.has(event.type) ? runOf(event) : null;
}

/**
 * Runs without an end, by id, with the writer of their first event, as the events of a log are taken in. A run whose
 * start was lost to a damaged line counts too: whatever is left of it has to be closed.
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

  /** Run and writer. */
  list(): readonly (readonly [runId: string, writer: string])[] {
    return [...this.#open];
  }
}
