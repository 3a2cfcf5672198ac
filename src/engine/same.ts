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
  if (Object.is(a, b)) {
    return true;
  }
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)));
  }
  if (a instanceof Set && b instanceof Set) {
    return a.size === b.size && [...a].every((item) => b.has(item));
  }
  return isPlain(a) && isPlain(b) && hasSameMembers(a, b);
}

function isPlain(value: unknown): value is object {
  const kinds: readonly unknown[] = [Object.prototype, Array.prototype, null];
  return typeof value === 'object' && value !== null && kinds.includes(Object.getPrototypeOf(value));
}

function hasSameMembers(a: object, b: object): boolean {
  const [ofA, ofB] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))];
  const isSameKind = Object.getPrototypeOf(a) === Object.getPrototypeOf(b) && ofA.length === ofB.size;
  return isSameKind && ofA.every(([name, member]) => ofB.has(name) && isSame(member, ofB.get(name)));
}
