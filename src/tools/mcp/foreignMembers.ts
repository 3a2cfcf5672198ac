import { type Json, type JsonObject, isObject } from '../../engine/json.js';

/* Reads members that several kinds of items in the lists of servers have. */

/** Takes a sentence about an invalid item, for the log of the server. */
export type Note = (text: string) => void;

const LONGEST_NAME = 100;

/** Maximum number of invalid members that a sentence names. */
const MOST_NAMED = 5;

/** Members that Loupe does not use, and which the items therefore do not keep. */
const UNUSED: readonly (readonly [member: string, isValid: (value: Json | undefined) => boolean])[] = [
  ['icons', (value) => Array.isArray(value) && value.every((icon) => isObject(icon) && typeof icon['src'] === 'string')],
  ['_meta', isObject],
];

/** Returns the members that are texts. `invalid` gets the names of members with other values. */
export function texts(from: JsonObject, members: readonly string[], invalid: string[]): JsonObject {
  return Object.fromEntries(
    members.flatMap((member): [string, Json][] => {
      const value = from[member];
      if (typeof value === 'string') {
        return [[member, value]];
      }
      invalid.push(...(value === undefined ? [] : [member]));
      return [];
    }),
  );
}

/** Returns the names of invalid members among those that Loupe does not use. */
export function invalidUnused(item: JsonObject): readonly string[] {
  return UNUSED.filter(([member, isValid]) => item[member] !== undefined && !isValid(item[member])).map(([member]) => member);
}

export function shownName(name: string): string {
  return name.slice(0, LONGEST_NAME);
}

/** Names the invalid members of an item in one sentence. `item` is its name in words, such as `Tool 3`. */
export function noteInvalid(item: string, invalid: readonly string[], note: Note): void {
  if (invalid.length > 0) {
    const named = `${invalid.slice(0, MOST_NAMED).join(', ')}${invalid.length > MOST_NAMED ? ', …' : ''}`;
    note(`${item} has invalid members, which Loupe ignores: ${named}.`);
  }
}
