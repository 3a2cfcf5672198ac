import { isObject, type Json } from '../engine/json.js';

/*
 * Reads JSON from servers. Its shape is never certain, whatever the protocol or its types promise: a member
 * of another form counts as missing.
 */

/** An own member of an object; undefined when it is missing, or `value` is no object. */
export function member(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text member; null when it is missing or not a text. */
export function textMember(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}

/** A text member; null also when it is empty. */
export function wordsMember(value: unknown, name: string): string | null {
  const text = textMember(value, name);
  return text === '' ? null : text;
}

/** The items of a list; none for other values. */
export function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** A whole number from 0 on; null for other values, which means unknown and not 0. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A limit in tokens, above 0: some servers send 0 for an unknown limit. */
export function tokenLimit(value: unknown): number | null {
  const tokens = count(value);
  return tokens === 0 ? null : tokens;
}
