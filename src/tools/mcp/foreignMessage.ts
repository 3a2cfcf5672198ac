import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../engine/json.js';
import type { Note } from './foreignMembers.js';
import { readResult } from './foreignResult.js';
import { readTools } from './foreignTools.js';

/** Reads the items of a list of tools, and the parts of a tool's result. No other messages have these members. */
export function readMessage(message: JSONRPCMessage, note: Note): JSONRPCMessage {
  if (!('result' in message)) {
    return message;
  }
  const result = message.result as JsonObject;
  const { tools, content, structuredContent } = result;
  if (Array.isArray(tools)) {
    return { ...message, result: { ...result, tools: readTools(tools, note) } };
  }
  return content === undefined && structuredContent === undefined ? message : { ...message, result: readResult(result) };
}
