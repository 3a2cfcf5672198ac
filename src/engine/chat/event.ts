import type { EventStamp } from './order/stamp.js';
import type { EventType, NewEvent } from './slices/table.js';

export type ChatEvent = NewEvent & EventStamp;

/** How an event must be stored before the run continues. */
export type Persistence =
  /** The event is only shown. A later `written` event contains the same text. */
  | 'shown'
  | 'written'
  /** The event is flushed to the disk (fdatasync). */
  | 'durable';

const RUN_ENDS: ReadonlySet<EventType> = new Set<EventType>([
  'run-committed',
  'run-stopped',
  'run-failed',
  'run-rolled-back',
  'run-interrupted',
]);

/** Returns the id of the event's run, or null for an event outside runs. */
export function runOf(event: NewEvent): string | null {
  return 'runId' in event ? event.runId : null;
}

/** Returns whether the event can be the first of its run: a new user message, or else `run-started`. */
export function beginsRun(event: NewEvent): boolean {
  return event.type === 'message' ? event.message.role === 'user' : event.type === 'run-started' && event.cause !== 'message';
}

/** Returns the id of the run that an event ends, or null. */
export function endedRun(event: NewEvent): string | null {
  return RUN_ENDS.has(event.type) ? runOf(event) : null;
}
