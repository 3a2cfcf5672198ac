import { runOf, type ChatEvent } from '../event.js';
import { compareStamps } from './stamp.js';

/*
 * The order of a chat's log. Every writer has a segment of its own; the log is their union. Sorting the union by
 * (seq, writer) alone would mix two runs that were open at the same time, and could part a tool call from its result.
 * So a run is one group, placed by its first event, and every other event is a group of one. The result depends only on
 * the set of events, not on the order in which they were read.
 */

/** Events of one run, or one event outside runs, sorted by `compareStamps`. */
type Group = [ChatEvent, ...ChatEvent[]];

/** The union of segments, in any order, as the one log that every window sees. */
export function logOrder(events: readonly ChatEvent[]): ChatEvent[] {
  const groups: Group[] = [];
  const runs = new Map<string, Group>();
  for (const event of events) {
    const runId = runOf(event);
    const run = runId === null ? undefined : runs.get(runId);
    if (run !== undefined) {
      run.push(event);
      continue;
    }
    const group: Group = [event];
    groups.push(group);
    if (runId !== null) {
      runs.set(runId, group);
    }
  }
  for (const run of runs.values()) {
    run.sort(compareStamps);
  }
  return groups.sort((a, b) => compareStamps(a[0], b[0])).flat();
}
