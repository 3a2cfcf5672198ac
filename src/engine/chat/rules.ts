import type { SaidText } from './said.js';
import type { EventRule } from './slices/slice.js';
import { SLICES, type EventDraft, type EventType, type SliceName } from './slices/table.js';

/** The rule of an event, and the slice that owns it. Its types are those of whatever event it is looked up for. */
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

/** The types of events that search finds a text in. */
export const SEARCHED_TYPES: ReadonlySet<string> = new Set([...RULES].flatMap(([type, { said }]) => (said === null ? [] : [type])));

/** What an event says that search finds; null for nothing. */
export function saidBy(event: EventDraft): SaidText | null {
  return RULES.get(event.type)?.said?.(event as never) ?? null;
}

/** Among which events an event has to keep its order among writers; `run` for those of its run alone. */
export type Order = SliceName | 'conversation' | 'run';

export function orderOf(event: EventDraft): Order {
  const rule = RULES.get(event.type);
  if (rule === undefined || rule.order === 'conversation') {
    return 'conversation';
  }
  return rule.order === 'slice' ? rule.slice : 'runId' in event && event.runId !== null ? 'run' : 'conversation';
}
