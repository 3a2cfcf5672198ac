import { ENTRIES } from './entryChanges.js';
import { keyed, type Member, whole } from './member.js';
import type { ContextRows, PanelState } from './view.js';

/*
 * The panel's state travels as one snapshot and then numbered deltas. Both ends share these functions:
 * `applyDelta(a, diffState(a, b))` equals `b`.
 */

type Members<State> = { readonly [K in keyof State]: Member<State[K], unknown> };

/** How each member travels. One that is missing here does not compile: it would never arrive again. */
const MEMBERS = {
  chats: whole<PanelState['chats']>(),
  chat: whole<PanelState['chat']>(),
  entries: ENTRIES,
  outputs: whole<PanelState['outputs']>(),
  draft: whole<PanelState['draft']>(),
  context: whole<PanelState['context']>(),
  contextHidden: whole<PanelState['contextHidden']>(),
  nextRequest: whole<PanelState['nextRequest']>(),
  nextRequestRows: whole<PanelState['nextRequestRows']>(),
  contextRows: keyed<ContextRows>(),
  models: whole<PanelState['models']>(),
  banners: whole<PanelState['banners']>(),
} satisfies Members<PanelState>;

/** The members that changed, each as its own change. */
export type Delta = { readonly [K in keyof PanelState]?: Exclude<ReturnType<(typeof MEMBERS)[K]['diff']>, undefined> };

/** The table without the types of its rows: TypeScript does not relate a member's name, value and change in a loop. */
const TABLE: Members<PanelState> = MEMBERS;
const NAMES = Object.keys(TABLE) as (keyof PanelState)[];

/** The delta from `before` to `after`; null when nothing changed. Members and entries are compared by value. */
export function diffState(before: PanelState, after: PanelState): Delta | null {
  const changes = NAMES.map((name) => diffMember(name, before, after)).filter(([, change]) => change !== undefined);
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/** The state after a delta. Throws when the delta does not fit: the receiver then asks for a snapshot. */
export function applyDelta(state: PanelState, delta: Delta): PanelState {
  const changed = NAMES.filter((name) => Object.hasOwn(delta, name)).map((name) => applyMember(name, state, delta));
  return { ...state, ...Object.fromEntries(changed) };
}

function diffMember<K extends keyof PanelState>(name: K, before: PanelState, after: PanelState): readonly [K, unknown] {
  return [name, TABLE[name].diff(before[name], after[name])];
}

function applyMember<K extends keyof PanelState>(name: K, state: PanelState, delta: Delta): readonly [K, PanelState[K]] {
  return [name, TABLE[name].apply(state[name], delta[name])];
}
