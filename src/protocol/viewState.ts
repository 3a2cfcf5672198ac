import type { Member } from './member.js';

/*
 * How the state of a view is sent: a snapshot, then numbered deltas of the changed members. Host and webview share these
 * functions: `apply(a, diff(a, b))` equals `b`.
 */

/** How each member of a state is sent. A missing member does not compile, because its changes would never arrive. */
export type Members<State> = { readonly [K in keyof State]: Member<State[K], unknown> };

/** The changes of the members that changed. */
export type DeltaOf<Table extends Readonly<Record<keyof Table, Pick<Member<never, unknown>, 'diff'>>>> = {
  readonly [K in keyof Table]?: Exclude<ReturnType<Table[K]['diff']>, undefined>;
};

export interface ViewState<State, Delta> {
  /** The delta from `before` to `after`; null when nothing changed. Members are compared by value. */
  diff(before: State, after: State): Delta | null;
  /** The state after a delta. Throws when the delta does not fit; then the webview asks for a snapshot. */
  apply(state: State, delta: Delta): State;
}

/**
 * Host to webview. A new epoch starts with a snapshot (on ready, re-show, another subject or a gap), and its deltas are
 * numbered from 1. The webview ignores a delta of another epoch, and sends `resync` when a number is missing.
 */
export type StateMessage<State, Delta> =
  | { readonly type: 'snapshot'; readonly epoch: number; readonly state: State }
  | { readonly type: 'delta'; readonly epoch: number; readonly n: number; readonly delta: Delta };

/** The functions for a state whose members are sent as `table` says. */
export function viewState<State extends object, Delta extends object>(table: Members<State>): ViewState<State, Delta> {
  const names = Object.keys(table) as (keyof State & string)[];
  return {
    diff(before, after) {
      const changes = names.map((name) => [name, table[name].diff(before[name], after[name])] as const);
      const changed = changes.filter(([, change]) => change !== undefined);
      return changed.length === 0 ? null : (Object.fromEntries(changed) as Delta);
    },
    apply(state, delta) {
      const values: Partial<Record<string, unknown>> = delta;
      const changed = names
        .filter((name) => Object.hasOwn(delta, name))
        .map((name) => [name, table[name].apply(state[name], values[name])]);
      return { ...state, ...(Object.fromEntries(changed) as Partial<State>) };
    },
  };
}
