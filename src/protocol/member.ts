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
