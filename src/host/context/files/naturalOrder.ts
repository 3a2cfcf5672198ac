const collator = new Intl.Collator('en', { numeric: true });

/** Compares names naturally: `part-2` before `part-10`. Compares names that are otherwise equal by code unit. */
export function compareNaturally(a: string, b: string): number {
  const order = collator.compare(a, b);
  return order === 0 ? Number(a > b) - Number(a < b) : order;
}
