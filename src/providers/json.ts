import { isObject, type Json } from '../engine/json.js';

/*
 * Reading JSON that a server sent. Beyond that it is JSON nothing about it is certain, whatever its protocol says and the
 * types of an SDK promise: what is not there in the expected form reads as absent.
 */

/** A member of an object; undefined when there is no object or no such member of its own. */
export function member(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text member; null when it is missing or no text. */
export function textMember(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}

/** A text member; null also for an empty one, which says nothing. */
export function wordsMember(value: unknown, name: string): string | null {
  const text = textMember(value, name);
  return text === '' ? null : text;
}

/** The items of a list; none for anything else. */
export function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** A whole number from 0 on. Null for everything else, which is unknown and not 0. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A limit in tokens: a count above 0, since a limit of 0 is how some servers say that they do not know. */
export function tokenLimit(value: unknown): number | null {
  const tokens = count(value);
  return tokens === 0 ? null : tokens;
}
