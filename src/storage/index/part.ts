import { beginsRun, runOf, type ChatEvent } from '../../engine/chat/event.js';
import { foldAfter, foldLog, type ChatFold } from '../../engine/chat/fold.js';
import { logOrder } from '../../engine/chat/order.js';
import { compareStamps } from '../../engine/chat/stamp.js';
import type { Place } from './opened.js';

/** A part of a log and what it comes to. */
export interface Part {
  readonly fold: ChatFold;
  /** In log order. */
  readonly events: readonly ChatEvent[];
}

/** Folds a whole log. Throws `storage` when the line that created the chat is missing. */
export function foldWhole(events: readonly ChatEvent[]): Part {
  const ordered = logOrder(events);
  return { fold: foldLog(ordered), events: ordered };
}

/**
 * Folds the events that stand behind a place. Null when that would not give what the whole log gives: when an event
 * belongs before the place, or to something that is there. Then a fold has to begin further back.
 */
export function foldBehind(start: Place, events: readonly ChatEvent[]): Part | null {
  const ordered = logOrder(events);
  // Then every run, placed by its first event, comes behind the place as well, and none is torn in two.
  if (events.some((event) => compareStamps(event, start.last) <= 0) || !areRunsWhole(ordered)) {
    return null;
  }
  const fold = foldAfter(start.snapshot, ordered);
  return fold.reachedBack ? null : { fold, events: ordered };
}

/** Whether all runs begin among these events, as far as their first ones tell. */
function areRunsWhole(events: readonly ChatEvent[]): boolean {
  const runs = new Set<string>();
  return events.every((event) => {
    const runId = runOf(event);
    const isFirst = runId !== null && !runs.has(runId);
    runs.add(runId ?? '');
    return !isFirst || beginsRun(event);
  });
}
