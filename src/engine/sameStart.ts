/** Returns how many items at the start of two lists are the same objects. */
export function sameStart(a: readonly unknown[], b: readonly unknown[]): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) {
    at += 1;
  }
  return at;
}
