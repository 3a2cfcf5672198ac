/** What a user typed into a field for a count of tokens. */
export type ParsedCount =
  | { readonly ok: true; readonly value: number | null }
  | { readonly ok: false; readonly problem: string };

/** A whole number, thousands separated or not; empty is null where `emptyIsNull`. */
export function parseCount(text: string, emptyIsNull: boolean): ParsedCount {
  const digits = text.trim().replaceAll(/[,_\s]/g, '');
  if (digits === '' && emptyIsNull) {
    return { ok: true, value: null };
  }
  const value = Number(digits);
  return /^\d+$/.test(digits) && Number.isSafeInteger(value)
    ? { ok: true, value }
    : { ok: false, problem: 'A whole number of tokens, 0 or more' };
}
