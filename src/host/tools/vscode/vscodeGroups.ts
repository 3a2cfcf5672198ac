import { isObject, type Json, type JsonObject } from '../../../engine/json.js';
import type { Tool } from '../../../engine/tools/tool.js';

/** Loupe's name for the server with VS Code's own tools. */
export const VSCODE = 'vscode';

/** Prefix of tools that VS Code gets from MCP servers. The start of the server's name and the tool's name follow. */
const FROM_MCP = 'mcp_';

/** Names of tools that Loupe runs itself instead of VS Code. */
export type OwnToolNames = ReadonlySet<string>;

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

/** Groups tools by extension, in a fixed order. Omits tools of MCP servers that Loupe runs. */
export function vscodeGroups(
  tools: readonly ListedTool[],
  contributors: ReadonlyMap<string, string>,
  own: OwnToolNames,
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

function isOwn(name: string, own: OwnToolNames): boolean {
  return name.startsWith(FROM_MCP) && [...own].some((each) => name.endsWith(`_${each.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`));
}

function toolOf({ name, description, inputSchema }: ListedTool): Tool {
  const schema = inputSchema as Json | undefined;
  return { name, title: null, description, inputSchema: isObject(schema) ? schema : NO_ARGUMENTS, saysItOnlyReads: false };
}

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} };
