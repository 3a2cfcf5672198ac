import { isObject, type Json, type JsonObject } from '../../../engine/json.js';
import type { Tool } from '../../../engine/tools/tool.js';

/** The server of the tools that VS Code itself has. */
export const VSCODE = 'vscode';

/** Begins the names of the tools that VS Code has from MCP servers: `mcp_`, the beginning of the server's name, the tool's own. */
const FROM_MCP = 'mcp_';

/** The names of the tools of own servers. */
export type KnownTools = ReadonlySet<string>;

/** As VS Code lists a tool. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object | undefined;
}

export interface ToolGroup {
  /** The id of the extension, or `vscode`. */
  readonly name: string;
  readonly tools: readonly Tool[];
}

/** The tools by the extension that contributes them, in a fixed order. A tool of an MCP server that Loupe runs itself is left out. */
export function vscodeGroups(
  tools: readonly ListedTool[],
  contributors: ReadonlyMap<string, string>,
  own: KnownTools,
): readonly ToolGroup[] {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const extension = contributors.get(tool.name);
    if (extension !== undefined || !isOwn(tool.name, own)) {
      const name = extension ?? VSCODE;
      groups.set(name, [...(groups.get(name) ?? []), toolOf(tool)]);
    }
  }
  return [...groups].map(([name, of]) => ({ name, tools: of })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function isOwn(name: string, own: KnownTools): boolean {
  return name.startsWith(FROM_MCP) && [...own].some((each) => name.endsWith(`_${each.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`));
}

function toolOf({ name, description, inputSchema }: ListedTool): Tool {
  const schema = inputSchema as Json | undefined;
  return { name, title: null, description, inputSchema: isObject(schema) ? schema : NO_ARGUMENTS, saysItOnlyReads: false };
}

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} };
