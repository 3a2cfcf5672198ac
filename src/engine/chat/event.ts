import type { EventStamp } from './stamp.js';
import type { EventDraft } from './slices/table.js';

export type ChatEvent = EventDraft & EventStamp;

/** How far a draft must have got before the run goes on. */
export type Persistence =
  /** Shown only: the same text follows in a written piece. */
  | 'shown'
  /** In the log file. */
  | 'written'
  /** On the disk (fdatasync). */
  | 'durable';

/** The run an event belongs to; null for events outside runs. */
export function runOf(event: EventDraft): string | null {
  return 'runId' in event ? event.runId : null;
}

/**
 * Whether the event can be the first one of its run: a run that answers a new message begins with it, every other one
 * with its start.
 */
export function beginsRun(event: EventDraft): boolean {
  return event.type === 'message' ? event.message.role === 'user' : event.type === 'run-started' && event.cause !== 'message';
}
