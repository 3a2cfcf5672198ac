/** Returns how many items at the start of two lists are the same objects. */
export function sameStart(a: readonly unknown[], b: readonly unknown[]): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) {
    at += 1;
  }
  return at;
}

/** Returns whether two values have the same content. Compares functions, class instances, items of Sets by identity. */
export function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || isSameList(a, b) || isSameMap(a, b) || isSameSet(a, b) || isSamePlain(a, b);
}

function isSameList(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
}

function isSameMap(a: unknown, b: unknown): boolean {
  return (
    a instanceof Map && b instanceof Map && a.size === b.size && [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)))
  );
}

function isSameSet(a: unknown, b: unknown): boolean {
  return a instanceof Set && b instanceof Set && a.size === b.size && [...a].every((item) => b.has(item));
}

function isSamePlain(a: unknown, b: unknown): boolean {
  if (!isPlain(a) || !isPlain(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) {
    return false;
  }
  const names = Object.keys(a) as (keyof typeof a)[];
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
