import { isObject, type Json, type JsonObject } from '../../../engine/json.js';
import type { Tool } from '../../../engine/tools/tool.js';
import type { Note } from '../../../tools/mcp/foreignMembers.js';
import { readTools } from '../../../tools/mcp/foreignTools.js';

/** Loupe's name for the server with VS Code's own tools. */
export const VSCODE = 'vscode';

/** Prefix of tools that VS Code gets from MCP servers. The start of the server's name and the tool's name follow. */
const FROM_MCP = 'mcp_';

/** Names of tools that Loupe runs itself instead of VS Code. */
export type OwnToolNames = ReadonlySet<string>;

/** A tool in VS Code's list. Its members come from an extension or a server, and can have any value. */
export interface ListedTool {
  readonly name: unknown;
  readonly description: unknown;
  readonly inputSchema: unknown;
}

export interface ToolGroup {
  /** The id of the extension, or `vscode`. */
  readonly name: string;
  readonly tools: readonly Tool[];
}

/** Returns the extension of each tool, by tool name. VS Code's list of tools lacks the extensions. */
export function contributors(extensions: readonly { readonly id: string; readonly packageJSON: unknown }[]): ReadonlyMap<string, string> {
  return new Map(
    extensions.flatMap(({ id, packageJSON }) => {
      const tools = member(member(packageJSON, 'contributes'), 'languageModelTools');
      const names = Array.isArray(tools) ? tools.map((tool) => member(tool, 'name')) : [];
      return names.filter((name) => typeof name === 'string').map((name) => [name, id] as const);
    }),
  );
}

function member(of: unknown, name: string): unknown {
  return isObject(of) ? of[name] : undefined;
}

/**
 * Groups tools by extension, in a fixed order. Omits tools of MCP servers that Loupe runs, and invalid tools. `note`
 * gets a sentence for each invalid tool.
 */
export function vscodeGroups(
  tools: readonly (ListedTool | null | undefined)[],
  { contributors, own }: { readonly contributors: ReadonlyMap<string, string>; readonly own: OwnToolNames },
  note: Note,
): readonly ToolGroup[] {
  const groups = new Map<string, Json[]>();
  for (const tool of tools) {
    const name = typeof tool?.name === 'string' ? tool.name : '';
    const extension = contributors.get(name);
    if (extension !== undefined || !isOwn(name, own)) {
      const group = extension ?? VSCODE;
      groups.set(group, [...(groups.get(group) ?? []), listed(tool)]);
    }
  }
  return [...groups]
    .map(([name, of]) => ({
      name,
      tools: readTools(of, name === VSCODE ? 'VS Code' : `the extension ${name}`, note)
        .map(toolOf)
        .toSorted(byName),
    }))
    .filter(({ tools: { length } }) => length > 0)
    .toSorted(byName);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function isOwn(name: string, own: OwnToolNames): boolean {
  return name.startsWith(FROM_MCP) && [...own].some((each) => name.endsWith(`_${each.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`));
}

/** Returns the members that Loupe uses. Tools without arguments have no schema. */
function listed(tool: ListedTool | null | undefined): Json {
  return { name: tool?.name, description: tool?.description, inputSchema: tool?.inputSchema ?? NO_ARGUMENTS } as unknown as JsonObject;
}

function toolOf({ name, description, inputSchema }: JsonObject): Tool {
  return {
    name: name as string,
    title: null,
    description: (description ?? '') as string,
    inputSchema: inputSchema as JsonObject,
    saysItOnlyReads: false,
  };
}

const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} };
