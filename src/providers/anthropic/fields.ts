import type { Json, JsonObject } from '../../engine/json.js';

/*
 * Reading what a server sent. It is JSON, since a parser made it; beyond that nothing about it is certain, whatever
 * the types of the SDK promise.
 */

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** A member of an object; undefined when there is no object or no such member of its own. */
export function member(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text member; null when it is missing or no text. */
export function textMember(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === 'string' ? found : null;
}

/** A member that counts something; null when it is missing or no count (a whole number from 0). */
export function countMember(value: unknown, name: string): number | null {
  const found = member(value, name);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}
