const collator = new Intl.Collator('en', { numeric: true });

/** Compares names as people count: `part-2` before `part-10`. Names that read alike are told apart by code unit. */
export function compareNaturally(a: string, b: string): number {
  const order = collator.compare(a, b);
  return order === 0 ? Number(a > b) - Number(a < b) : order;
}
