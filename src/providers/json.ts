import { isObject, type Json } from '../engine/json.js';

/* Reads JSON from servers, which can have any shape. A member of the wrong type is treated as missing. */

/** Returns a member of an object. Undefined for a missing or inherited member, or if `value` is no object. */
export function member(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textMember(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}

/** Returns a member that is a non-empty text, or null. */
export function wordsMember(value: unknown, name: string): string | null {
  const text = textMember(value, name);
  return text === '' ? null : text;
}

export function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** Returns a whole number of 0 or more. Null for other values, which means unknown. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Returns a token limit above 0. Null for other values: some servers send 0 for an unknown limit. */
export function tokenLimit(value: unknown): number | null {
  const tokens = count(value);
  return tokens === 0 ? null : tokens;
}
