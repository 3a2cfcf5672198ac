import type { Tool as OfferedTool } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../engine/json.js';
import type { Tool } from '../../engine/tools/tool.js';
import { sizeText } from './limits.js';
import type { ServerLog } from './serverLog.js';

/** Maximum size of a tool in bytes: about 15,000 tokens. Loupe counts the tokens of all tools for each request. */
const LARGEST_TOOL = 64 * 1024;

/** Maximum size of a server's tools in bytes: more than a request can hold. VS Code reads stored tools at its start. */
const LARGEST_LIST = 1024 * 1024;

/** Converts the tools. Sorts them by name, so that requests stay equal. Omits tools over the size limits. */
export function toTools(offered: readonly OfferedTool[], log: ServerLog): readonly Tool[] {
  const tools = new Map<string, Tool>();
  let bytes = 0;
  for (const tool of offered.map(toTool)) {
    const size = Buffer.byteLength(JSON.stringify(tool));
    if (size > LARGEST_TOOL || bytes + size > LARGEST_LIST) {
      const most = size > LARGEST_TOOL ? `${sizeText(LARGEST_TOOL)} for a tool` : `${sizeText(LARGEST_LIST)} for all tools`;
      log.note(
        `Loupe does not use the tool "${tool.name.slice(0, LONGEST_QUOTE)}" of the server: it has ${sizeText(size)} (limit ${most}).`,
      );
    } else if (tools.has(tool.name)) {
      log.note(`The server offers two tools named "${tool.name}". Loupe uses only the first one.`);
    } else {
      bytes += size;
      tools.set(tool.name, tool);
    }
  }
  return [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const LONGEST_QUOTE = 100;

function toTool({ name, title, description, inputSchema, annotations }: OfferedTool): Tool {
  return {
    name,
    title: title ?? annotations?.title ?? null,
    description: description ?? '',
    inputSchema: inputSchema as unknown as JsonObject,
    saysItOnlyReads: annotations?.readOnlyHint === true,
  };
}

/** Returns stored tools. Null for missing tools or an unknown format. */
export function storedTools(value: unknown): readonly Tool[] | null {
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

/** Returns a tool for a name that the server does not list. */
export function unlistedTool(name: string): Tool {
  return { name, title: null, description: '', inputSchema: { type: 'object' }, saysItOnlyReads: false };
}

export function sameTools(some: readonly Tool[], others: readonly Tool[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
