import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Json, JsonObject } from '../../engine/json.js';
import { readContents, readMessages, readPrompts, readResources } from './foreignLists.js';
import type { Note } from './foreignMembers.js';
import { readResult } from './foreignResult.js';
import { readTools } from './foreignTools.js';

/** Reads the list of a result, by the member that holds the list. */
const LISTS: Readonly<Record<string, (items: readonly Json[], note: Note) => readonly Json[]>> = {
  tools: (items, note) => readTools(items, 'the server', note),
  prompts: readPrompts,
  resources: readResources,
  contents: readContents,
  messages: readMessages,
};

/** Returns a message in a form that the SDK accepts. Reads lists item by item, and the parts of a tool's result. */
export function readMessage(message: JSONRPCMessage, note: Note): JSONRPCMessage {
  if (!('result' in message)) {
    return message;
  }
  const result = message.result as JsonObject;
  if (result['content'] !== undefined || result['structuredContent'] !== undefined) {
    return { ...message, result: readResult(result) };
  }
  return { ...message, result: Object.fromEntries(Object.entries(result).flatMap(([member, value]) => readMember(member, value, note))) };
}

/** Some servers write null for an empty list, and for members without a value. */
function readMember(member: string, value: Json, note: Note): readonly (readonly [string, Json])[] {
  const readList = Object.hasOwn(LISTS, member) ? LISTS[member] : undefined;
  if (readList !== undefined && (value === null || Array.isArray(value))) {
    return [[member, readList((value ?? []) as readonly Json[], note)]];
  }
  return value === null ? [] : [[member, value]];
}
