import type { EventStamp } from './order/stamp.js';
import type { EventType, NewEvent } from './slices/table.js';

export type ChatEvent = NewEvent & EventStamp;

/** How far a new event must get before the run continues. */
export type Persistence =
  /** Shown only: a later `written` event holds the same text. */
  | 'shown'
  /** In the log file. */
  | 'written'
  /** On the disk (fdatasync). */
  | 'durable';

const RUN_ENDS: ReadonlySet<EventType> = new Set<EventType>([
  'run-committed',
  'run-stopped',
  'run-failed',
  'run-rolled-back',
  'run-interrupted',
]);

/** The id of the event's run; null for an event outside runs. */
export function runOf(event: NewEvent): string | null {
  return 'runId' in event ? event.runId : null;
}

/**
 * Whether the event can be the first of its run. A run that answers a new message begins with that message, every other
 * run with `run-started`.
 */
export function beginsRun(event: NewEvent): boolean {
  return event.type === 'message' ? event.message.role === 'user' : event.type === 'run-started' && event.cause !== 'message';
}

/** The id of the run that an event ends; null when it ends none. */
export function endedRun(event: NewEvent): string | null {
  return RUN_ENDS.has(event.type) ? runOf(event) : null;
}
