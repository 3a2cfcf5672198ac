/*
 * How one member of a view's state is sent: as the change since the state that the receiver has.
 */

/** `apply(before, diff(before, after))` equals `after`. Host and webview share it; a change is plain JSON. */
export interface Member<Value, Change> {
  /** Undefined when nothing changed. */
  diff(before: Value, after: Value): Change | undefined;
  /** Throws when the change does not fit; then the receiver asks for a snapshot. */
  apply(before: Value, change: Change): Value;
}

/** A member whose change is its whole new value. */
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

/** Values by key. A change has only the added, changed and removed ones. */
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

/** Equality of plain JSON values, members in any order. */
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
