import type { SearchText } from './message/said.js';
import type { EventRule } from './slices/slice.js';
import { SLICES, type NewEvent, type EventType, type SliceName } from './slices/table.js';

/** An event's rule, and the slice that owns it. `never` is used because a map loses the type of the event. */
interface OwnedRule extends EventRule<never, never> {
  readonly slice: SliceName;
}

const RULES: ReadonlyMap<string, OwnedRule> = new Map(
  Object.entries(SLICES).flatMap(([slice, { events }]) =>
    Object.entries<EventRule<never, never>>(events).map(([type, rule]) => [type, { ...rule, slice: slice as SliceName }] as const),
  ),
);

export function isEventType(type: string): type is EventType {
  return RULES.has(type);
}

export const SEARCHED_TYPES: ReadonlySet<string> = new Set([...RULES].flatMap(([type, { said }]) => (said === null ? [] : [type])));

export function eventSearchText(event: NewEvent): SearchText | null {
  return RULES.get(event.type)?.said?.(event as never) ?? null;
}

/** A group of events whose order matters. `run`: the events of the same run. See `EventRule.order`. */
export type Order = SliceName | 'conversation' | 'run';

export function orderOf(event: NewEvent): Order {
  const rule = RULES.get(event.type);
  if (rule === undefined || rule.order === 'conversation') {
    return 'conversation';
  }
  return rule.order === 'slice' ? rule.slice : 'runId' in event && event.runId !== null ? 'run' : 'conversation';
}
