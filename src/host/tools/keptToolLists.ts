import { isObject } from '../../engine/json.js';
import type { ToolListStore } from '../../tools/mcp/mcpPorts.js';

/** The part of VS Code's memory (`ExtensionContext.globalState`) that this file uses. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'mcp.tools';

/** Maximum number of servers with stored tools. VS Code reads all lists at its start, up to 100 KB for each server. */
const MOST_SERVERS = 30;

/** Stores the last tool lists of servers in VS Code's memory. Keeps only the latest lists. */
export function storedToolLists(memory: Memory, reportError: (thrown: unknown) => void): ToolListStore {
  const all = (): Readonly<Record<string, unknown>> => {
    const kept = memory.get(KEY);
    return isObject(kept) ? kept : {};
  };
  return {
    get: (identity) => (Object.hasOwn(all(), identity) ? all()[identity] : undefined),
    keep: (identity, tools) => {
      const others = Object.entries(all()).filter(([key]) => key !== identity);
      const next = Object.fromEntries([...others, [identity, tools] as const].slice(-MOST_SERVERS));
      memory.update(KEY, next).then(undefined, reportError);
    },
  };
}
