/** Maximum number of characters of an error reason in the log: enough to find the mistake. */
export const MAX_REASON_LENGTH = 1_000;

/*
 * How the state of a view is sent: a snapshot, then numbered deltas of the changed members. Host and webview share
 * these functions: `apply(a, diff(a, b))` equals `b`.
 */

/** How each member of a state is sent. */
type Members<State> = { readonly [K in keyof State]: Member<State[K], unknown> };

export type DeltaOf<Table extends Readonly<Record<keyof Table, Pick<Member<never, unknown>, 'diff'>>>> = {
  readonly [K in keyof Table]?: Exclude<ReturnType<Table[K]['diff']>, undefined>;
};

/** A member of a state, with its value in an empty state. */
export interface ShownMember<Value, Change> extends Member<Value, Change> {
  readonly empty: Value;
}

export function shown<Value>(empty: Value): ShownMember<Value, Value> {
  return shownAs(replaced<Value>(), empty);
}

export function shownAs<Value, Change>(member: Member<Value, Change>, empty: Value): ShownMember<Value, Change> {
  return { ...member, empty };
}

/** The state whose members a table describes. */
export type StateOf<Table> = { readonly [K in keyof Table]: Table[K] extends { apply(...change: never): infer Value } ? Value : never };

export function emptyOf<Table extends Readonly<Record<keyof Table, { readonly empty: unknown }>>>(table: Table): StateOf<Table> {
  const names = Object.keys(table) as (keyof Table)[];
  return Object.fromEntries(names.map((name) => [name, table[name].empty])) as StateOf<Table>;
}

export interface ViewState<State, Delta> {
  /** Returns the changes of the members in `after`, or null if none changed. Members are compared by value. */
  diff(before: State, after: Partial<State>): Delta | null;
  /** Returns the state after a delta. Throws if the delta does not fit. The webview then requests a snapshot. */
  apply(state: State, delta: Delta): State;
}

/**
 * Messages from host to webview. A snapshot starts a new epoch: when the webview is ready or visible again, for another
 * subject, or after a missed delta. Deltas are numbered from 1. The webview ignores deltas of other epochs, and sends
 * `resync` after a gap.
 */
export type StateMessage<State, Delta> =
  | { readonly type: 'snapshot'; readonly epoch: number; readonly state: State }
  | { readonly type: 'delta'; readonly epoch: number; readonly n: number; readonly delta: Delta };

export function viewState<State extends object, Delta extends object>(table: Members<State>): ViewState<State, Delta> {
  const names = Object.keys(table) as (keyof State & string)[];
  return {
    diff(before, after) {
      const changed = names.flatMap((name) => {
        const value = after[name];
        const change = value === undefined ? undefined : table[name].diff(before[name], value);
        return change === undefined ? [] : [[name, change] as const];
      });
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

/* How one member of a view's state is sent: as the change since the state that the webview already has. */

/** `apply(before, diff(before, after))` equals `after`, in both host and webview. A change is plain JSON. */
export interface Member<Value, Change> {
  diff(before: Value, after: Value): Change | undefined;
  /** Throws if the change does not fit. The webview then requests a snapshot. */
  apply(before: Value, change: Change): Value;
}

export function replaced<Value>(): Member<Value, Value> {
  return {
    diff: (before, after) => (sameValue(before, after) ? undefined : after),
    apply: (_before, change) => change,
  };
}

export interface KeyedChange<Value> {
  readonly put: Readonly<Record<string, Value>>;
  readonly removed: readonly string[];
}

/** A member with values by key. A change contains only the added, changed and removed values. */
export function keyed<Value>(): Member<Readonly<Record<string, Value>>, KeyedChange<Value>> {
  return {
    diff(before, after) {
      const put = Object.entries(after).filter(([key, value]) => !Object.hasOwn(before, key) || !sameValue(before[key], value));
      const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
      return put.length === 0 && removed.length === 0 ? undefined : { put: Object.fromEntries(put), removed };
    },
    apply(before, { put, removed }) {
      const kept = Object.entries(before).filter(([key]) => !removed.includes(key));
      return { ...Object.fromEntries(kept), ...put };
    },
  };
}

/** Compares plain JSON values by content. The order of object members does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(member(a, key), member(b, key)))
  );
}

function member(object: object, key: string): unknown {
  return (object as Record<string, unknown>)[key];
}
