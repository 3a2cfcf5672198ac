/** What a user typed into a field for a count of tokens. */
export type ParsedCount = { readonly ok: true; readonly value: number | null } | { readonly ok: false; readonly problem: string };

/** What a field takes: the least number, and whether empty is allowed and means null. */
export interface CountRule {
  readonly least: number;
  readonly emptyIsNull: boolean;
}

/** A whole number, thousands separated or not. */
export function parseCount(text: string, { least, emptyIsNull }: CountRule): ParsedCount {
  const digits = text.trim().replaceAll(/[,_\s]/g, '');
  if (digits === '' && emptyIsNull) {
    return { ok: true, value: null };
  }
  const value = Number(digits);
  return /^\d+$/.test(digits) && Number.isSafeInteger(value) && value >= least
    ? { ok: true, value }
    : { ok: false, problem: `A whole number of tokens, ${String(least)} or more` };
}
