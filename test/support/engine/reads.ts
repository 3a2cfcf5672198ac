import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { JsonObject } from '../../../src/engine/json.js';
import type { ToolCallPart, ToolResultContent, ToolResultPart } from '../../../src/engine/model/part.js';
import { assistant, call as anyCall, result as anyResult, results, text } from './messages.js';

/* Reads of files by the tool `read_file`. */

/** A file of `count` lines, with numbers as `read_file` gives them. */
export function lines(count: number, change?: Readonly<Record<number, string>>): string {
  return Array.from({ length: count }, (_, at) => change?.[at + 1] ?? `const value${at + 1} = ${at + 1};`).join('\n');
}

export function numbered(content: string, from?: number): string {
  const first = from ?? 1;
  return content
    .split('\n')
    .map((line, at) => `${first + at}\t${line}`)
    .join('\n');
}

export function call(id: string, args: JsonObject): ToolCallPart {
  return { ...anyCall(id, args), name: 'read_file' };
}

export function result(id: string, ...content: ToolResultContent[]): ToolResultPart {
  return { ...anyResult(id, ...content), name: 'read_file' };
}

/** A reply that calls a tool once, with its result. */
export function read(id: string, args: JsonObject, content: string | ToolResultContent): SentMessage[] {
  return [
    assistant(`a${id}`, call(`c${id}`, args)),
    results(`r${id}`, result(`c${id}`, typeof content === 'string' ? text(content) : content)),
  ];
}

export const A = { path: 'src/a.ts' };
export const B = { path: 'src/b.ts' };
