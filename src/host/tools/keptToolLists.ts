import { isObject } from '../../engine/json.js';
import type { KeptTools } from '../../tools/mcp/mcpPorts.js';

/** The part of VS Code's memory (`ExtensionContext.globalState`) that is needed. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'mcp.tools';

/** Most servers whose tools are kept. VS Code reads all of its memory at its start, and a server may have 100 KB of tools. */
const MOST_SERVERS = 30;

/** The tools that servers last offered, in VS Code's memory. Of many servers, those that were kept last. */
export function keptToolLists(memory: Memory, reportError: (thrown: unknown) => void): KeptTools {
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
