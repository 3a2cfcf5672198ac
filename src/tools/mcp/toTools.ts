import type { Tool as OfferedTool } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../engine/json.js';
import type { Tool } from '../../engine/tools/tool.js';
import type { ServerLog } from './serverLog.js';

/** The tools as the engine has them, by name: servers do not always list them in one order, and requests are cached by their bytes. */
export function toTools(offered: readonly OfferedTool[], log: ServerLog): readonly Tool[] {
  const tools = new Map<string, Tool>();
  for (const { name, title, description, inputSchema, annotations } of offered) {
    if (tools.has(name)) {
      log.note(`It offers two tools named "${name}". Only the first one is used.`);
    } else {
      tools.set(name, {
        name,
        title: title ?? annotations?.title ?? null,
        description: description ?? '',
        inputSchema: inputSchema as unknown as JsonObject,
        saysItOnlyReads: annotations?.readOnlyHint === true,
      });
    }
  }
  return [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The tools that were kept; null where there are none, or none of this shape. */
export function keptTools(value: unknown): readonly Tool[] | null {
  return Array.isArray(value) && value.every(isTool) ? value : null;
}

function isTool(value: unknown): value is Tool {
  if (!isObject(value)) {
    return false;
  }
  const { name, title, description, inputSchema, saysItOnlyReads } = value;
  return (
    typeof name === 'string' &&
    (title === null || typeof title === 'string') &&
    typeof description === 'string' &&
    isObject(inputSchema) &&
    typeof saysItOnlyReads === 'boolean'
  );
}

/** Stands for a tool that the server does not list. */
export function unlistedTool(name: string): Tool {
  return { name, title: null, description: '', inputSchema: { type: 'object' }, saysItOnlyReads: false };
}

export function sameTools(some: readonly Tool[], others: readonly Tool[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
