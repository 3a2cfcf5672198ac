import { runOf, type ChatEvent } from '../event.js';
import { compareStamps } from './stamp.js';

/*
 * The order of a chat's log. Each window (writer) has its own log file (segment). The log is the union of all segments.
 * Events sorted only by (seq, writer) would mix runs that were open at the same time. A tool call could be separated
 * from its result. So all events of a run form one group, sorted by its first event. Every event outside runs is a
 * group of one event. The result depends only on the set of events, not on the order of reading.
 */

/** The events of one run, or one event outside runs, sorted by `compareStamps`. */
type Group = [ChatEvent, ...ChatEvent[]];

/** Joins all segments into one log. The result is the same in every VS Code window. */
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
