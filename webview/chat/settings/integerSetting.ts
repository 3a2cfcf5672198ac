import type { SettingControl } from '../../../src/protocol/panel/view.js';

export type IntegerControl = Extract<SettingControl, { readonly kind: 'integer' }>;

export type ParsedInteger = { readonly ok: true; readonly value: number | null } | { readonly ok: false; readonly problem: string };

/** Reads a whole number, with or without thousands separators. */
export function parseInteger(text: string, { least, most, empty, expected }: IntegerControl): ParsedInteger {
  const digits = text.trim().replaceAll(/[,_\s]/g, '');
  if (digits === '' && empty !== null) {
    return { ok: true, value: null };
  }
  const value = Number(digits);
  const isWithin = value >= least && (most === null || value <= most);
  return /^\d+$/.test(digits) && Number.isSafeInteger(value) && isWithin
    ? { ok: true, value }
    : { ok: false, problem: `Enter ${expected}` };
}
