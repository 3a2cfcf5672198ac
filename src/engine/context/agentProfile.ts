import { remarksOn, type Catalog, type CatalogItem, type Remark } from './catalogItem.js';
import type { FileProblem } from '../record/fileProblem.js';
import type { IncludeMode } from '../record/item.js';
import { namesWithoutTool, type ToolLimit } from './toolLimit.js';

/** How an agent includes an item of the catalog; `off` for not at all. */
export type AgentInclude = IncludeMode | 'off';

/** An agent of the workspace: a named prompt, with include modes for items of the catalog, and chat settings. */
export interface AgentProfile {
  /** The name of the agent. Unique among the profiles. */
  readonly name: string;
  /** The workspace path of the agent's file. */
  readonly source: string;
  readonly description: string;
  /** The agent's prompt. Empty when the file cannot be read. */
  readonly prompt: string;
  /**
   * The include modes that the agent sets, by item key. A mode for a server key applies to the tools of the server that
   * the agent does not name. All other items keep the mode of the catalog.
   */
  readonly includes: ReadonlyMap<string, AgentInclude>;
  /** The tools that the agent may use. Null for all tools. */
  readonly limit: ToolLimit | null;
  /** The models for which the agent is written, best first, as its file names them. Loupe only offers them. */
  readonly models: readonly string[];
  /** Chat settings from the file, by name, not validated. A chat gets them when the user chooses the agent. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Why the file cannot be read; null when it can. */
  readonly problem: FileProblem | null;
  /** Problems in the file that do not prevent its use, as texts for the user. */
  readonly remarks: readonly Remark[];
}

export type AgentProfiles = ReadonlyMap<string, AgentProfile>;

/** Returns the agent prompt of a chat: the profile's prompt, then the chat's system prompt. Either may be empty. */
export function agentPrompt(profile: AgentProfile | null, systemPrompt: string): string {
  return [profile?.prompt ?? '', systemPrompt].filter((text) => text.trim() !== '').join('\n\n');
}

const SERVER = 'server:';

export function serverKey(serverName: string): string {
  return `${SERVER}${serverName}`;
}

export function serverOfKey(key: string): string | null {
  return key.startsWith(SERVER) ? key.slice(SERVER.length) : null;
}

/** Returns the include mode of the tools of a server, for tools that the agent does not name. */
export function serverInclude(
  { name, include }: { readonly name: string; readonly include: IncludeMode },
  includes: ChosenIncludes,
): AgentInclude {
  return includes.get(serverKey(name))?.include ?? include;
}

/** An include mode, and who chose it: the agent of the chat, or the user for the folder or for all folders. */
export interface ChosenInclude {
  readonly include: AgentInclude;
  readonly by: 'agent' | 'folder' | 'everywhere';
}

/** Include modes by item key. The mode for a server key applies to the tools of the server without a mode. */
export type ChosenIncludes = ReadonlyMap<string, ChosenInclude>;

export function chosenByAgent(includes: AgentProfile['includes']): ChosenIncludes {
  return new Map([...includes].map(([key, include]) => [key, { include, by: 'agent' }]));
}

/** Returns the catalog with the chosen modes. An item with the mode `off` stays in the catalog, with who chose it. */
export function catalogOf(catalog: Catalog, includes: ChosenIncludes): Catalog {
  if (![...includes.keys()].some((key) => key.startsWith(SERVER) || catalog.has(key))) {
    return catalog;
  }
  return new Map(
    [...catalog].map(([key, item]) => {
      const chosen = includes.get(key) ?? (item.serverName === null ? undefined : includes.get(serverKey(item.serverName)));
      return [key, chosen === undefined ? item : withMode(item, chosen)];
    }),
  );
}

function withMode(item: CatalogItem, { include, by }: ChosenInclude): CatalogItem {
  return include === 'off' ? { ...item, offBy: by } : { ...item, include, offBy: null };
}

/** Returns a remark for each item that the agent names and the catalog lacks. */
export function unknownItems({ includes, limit, source }: AgentProfile, catalog: Catalog): readonly Remark[] {
  // Skips modes of tools and servers, because a server may not have listed its tools yet.
  const unknown = [...includes.keys()].filter((key) => !catalog.has(key) && !key.startsWith(SERVER) && !key.startsWith('tool:'));
  const tools = limit === null ? [] : namesWithoutTool(limit, catalog);
  return remarksOn(source, [
    ...unknown.map((key) => `${source} names ${key}, which does not exist.`),
    ...(tools.length === 0 ? [] : [`${source} names tools that this chat does not have: ${tools.join(', ')}.`]),
  ]);
}
