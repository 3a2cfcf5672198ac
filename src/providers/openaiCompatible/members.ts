/*
 * Reading JSON that a server wrote. Compatible servers leave members out, or send another type than the protocol's
 * description says: what is not there in the expected form reads as absent.
 */

/** An own member of a JSON object; undefined for anything else. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A member that is text; empty when there is none. */
export function textMember(value: unknown, name: string): string {
  const text = member(value, name);
  return typeof text === 'string' ? text : '';
}

/** The items of a member that is a list; none for anything else. */
export function listMember(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}

/** A count of tokens: a whole number from 0 on. Null for everything else, which is unknown and not 0. */
export function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
