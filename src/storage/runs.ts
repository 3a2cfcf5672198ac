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
 * Runs without an end, by id, with the writer of their first event. Takes events in log order. A run whose start
 * was lost to a damaged line counts too: whatever is left of it has to be closed.
 */
export function openRuns(events: readonly ChatEvent[]): ReadonlyMap<string, string> {
  const ended = new Set(events.map(endedRun));
  const open = new Map<string, string>();
  for (const event of events) {
    const runId = runOf(event);
    if (runId !== null && !ended.has(runId) && !open.has(runId)) {
      open.set(runId, event.writer);
    }
  }
  return open;
}
