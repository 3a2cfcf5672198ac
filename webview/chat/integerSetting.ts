import type { SettingControl } from '../../src/protocol/view.js';

/** What a field for a whole number takes. */
export type IntegerControl = Extract<SettingControl, { readonly kind: 'integer' }>;

/** What a user typed into such a field. */
export type ParsedInteger = { readonly ok: true; readonly value: number | null } | { readonly ok: false; readonly problem: string };

/** A whole number, thousands separated or not. */
export function parseInteger(text: string, { least, most, empty, expected }: IntegerControl): ParsedInteger {
  const digits = text.trim().replaceAll(/[,_\s]/g, '');
  if (digits === '' && empty !== null) {
    return { ok: true, value: null };
  }
  const value = Number(digits);
  const isWithin = value >= least && (most === null || value <= most);
  return /^\d+$/.test(digits) && Number.isSafeInteger(value) && isWithin
    ? { ok: true, value }
    : { ok: false, problem: `Not valid: it wants ${expected}` };
}
