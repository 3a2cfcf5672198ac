import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Json, type JsonObject, isObject } from '../../engine/json.js';
import { readContents, readMessages, readPrompts, readResources } from './foreignLists.js';
import type { Note } from './foreignMembers.js';
import { readResult } from './foreignResult.js';
import { readTools } from './foreignTools.js';

/**
 * Returns a message in a form that the SDK accepts as a message. The SDK drops a message with an invalid `_meta`, and
 * the start of a server fails for a null in its answer, which some servers write for members without a value.
 */
export function readEnvelope(message: Json): Json {
  if (Array.isArray(message)) {
    return message.map(readEnvelope);
  }
  return isObject(message)
    ? Object.fromEntries(Object.entries(message).map(([member, value]) => [member, BODIES.has(member) ? readBody(value) : value]))
    : message;
}

const BODIES: ReadonlySet<string> = new Set(['params', 'result']);

function readBody(body: Json): Json {
  if (!isObject(body)) {
    return body;
  }
  const { _meta: meta, ...others } = body;
  const read = { ...others, ...(isObject(meta) ? { _meta: meta } : {}) };
  return typeof body['protocolVersion'] === 'string' ? withoutNulls(read) : read;
}

function withoutNulls(value: Json): Json {
  if (!isObject(value)) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).flatMap(([member, each]) => (each === null ? [] : [[member, withoutNulls(each)]])));
}

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
