import { remarksOn, type Catalog, type Remark } from './catalogItem.js';
import type { FileProblem } from '../record/fileProblem.js';
import type { IncludeMode } from '../record/item.js';

/** How an agent has an item: in a mode of its own, or not at all. */
export type AgentInclude = IncludeMode | 'off';

/** An agent of the workspace: a prompt with a name, how its chats get rules, references and skills, and settings for them. */
export interface AgentProfile {
  /** Unique among the profiles. */
  readonly name: string;
  /** The workspace path of its file. */
  readonly source: string;
  readonly description: string;
  /** Empty when the file cannot be read. */
  readonly prompt: string;
  /** By item key, or by that of a server for its tools that are not named. All other items are as their own files have them. */
  readonly includes: ReadonlyMap<string, AgentInclude>;
  /** Settings that a chat takes over when it chooses the agent, as the file has them: by name, unchecked. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Why the file cannot be read; null when it can. */
  readonly problem: FileProblem | null;
  /** What is wrong with the file where it is used all the same, for the user. */
  readonly remarks: readonly Remark[];
}

/** By name. */
export type AgentProfiles = ReadonlyMap<string, AgentProfile>;

/** The agent prompt of a chat: that of its profile, then its own. Either may be empty. */
export function agentPrompt(profile: AgentProfile | null, systemPrompt: string): string {
  return [profile?.prompt ?? '', systemPrompt].filter((text) => text.trim() !== '').join('\n\n');
}

const SERVER = 'server:';

/** The key by which an agent has all tools of a server. */
export function serverKey(serverName: string): string {
  return `${SERVER}${serverName}`;
}

/** The server whose key this is; null for the key of anything else. */
export function serverOfKey(key: string): string | null {
  return key.startsWith(SERVER) ? key.slice(SERVER.length) : null;
}

/** How the tools of a server get into the chats of an agent, where it says nothing of the single tool. */
export function serverInclude(
  { name, include }: { readonly name: string; readonly include: IncludeMode },
  includes: AgentProfile['includes'],
): AgentInclude {
  return includes.get(serverKey(name)) ?? include;
}

/** The catalog as an agent has it; the same one where the agent changes nothing of it. */
export function catalogOf(catalog: Catalog, includes: AgentProfile['includes']): Catalog {
  if (![...includes.keys()].some((key) => key.startsWith(SERVER) || catalog.has(key))) {
    return catalog;
  }
  return new Map(
    [...catalog].map(([key, item]) => {
      const include = includes.get(key) ?? (item.serverName === null ? undefined : includes.get(serverKey(item.serverName)));
      return [
        key,
        include === undefined ? item : include === 'off' ? { ...item, isEnabled: false } : { ...item, include, isEnabled: true },
      ];
    }),
  );
}

/** The items that an agent names and the catalog lacks. */
export function unknownItems({ includes, source }: AgentProfile, catalog: Catalog): readonly Remark[] {
  // A tool may belong to a server that has not told its tools yet.
  const unknown = [...includes.keys()].filter((key) => !catalog.has(key) && !key.startsWith(SERVER) && !key.startsWith('tool:'));
  return remarksOn(
    source,
    unknown.map((key) => `${source} names ${key}, which is not there.`),
  );
}
