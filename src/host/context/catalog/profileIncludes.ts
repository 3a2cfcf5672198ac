import { serverKey, type AgentInclude } from '../../../engine/context/agentProfile.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { itemKey, type CatalogType } from '../../../engine/record/item.js';
import type { FrontMatter } from './reading/frontMatter.js';

/** The front matter keys of a profile that list the modes of items, by item type. */
export const INCLUDE_MEMBERS: Readonly<Record<CatalogType, string>> = {
  rule: 'rules',
  reference: 'references',
  skill: 'skills',
  tool: 'tools',
};

const INCLUDES: readonly AgentInclude[] = ['always', 'manual', 'agent', 'off'];

/** Only tools can be loaded on demand. */
const TOOL_INCLUDES: readonly AgentInclude[] = [...INCLUDES, 'onDemand'];

export interface ProfileIncludes {
  /** Include modes by item key. A server key is for all tools of the server. */
  readonly includes: ReadonlyMap<string, AgentInclude>;
  readonly remarks: readonly string[];
}

/**
 * Reads how an agent includes rules, references, skills and tools. A tool entry names a server, or a server and a tool:
 *
 *     rules:
 *       Error handling: always
 *       CLAUDE.md: off
 *     tools:
 *       filesystem: manual
 *       filesystem:read_file: always
 *       github: onDemand
 *
 * A colon in the name of a server is doubled.
 */
export function profileIncludes(values: FrontMatter['values'], source: string): ProfileIncludes {
  const includes = new Map<string, AgentInclude>();
  const remarks: string[] = [];
  for (const [type, member] of Object.entries(INCLUDE_MEMBERS)) {
    for (const [name, include] of entriesOf(values.get(member))) {
      if (isInclude(include, type)) {
        includes.set(type === 'tool' ? toolKey(name) : `${type}:${name}`, include);
      } else {
        remarks.push(`${source} has ${member}: ${name} as ${JSON.stringify(include)}. Write ${includesFor(type)}.`);
      }
    }
  }
  return { includes, remarks };
}

/** An item or a server in a profile. The mode of a server applies to its tools without a mode of their own. */
export type IncludableItem = Pick<CatalogItem, 'type' | 'name' | 'serverName'>;

/** Returns the name of an item or server in a profile, such as `server:tool`. */
export function nameInProfile({ type, name, serverName }: IncludableItem): string {
  if (type !== 'tool') {
    return name;
  }
  const server = (serverName ?? name).replaceAll(':', '::');
  return serverName === null ? server : `${server}:${name}`;
}

/** Splits `server:tool` at the first single colon. A double colon belongs to the server's name. */
const SERVER_AND_TOOL = /^((?:[^:]|::)+?)(?::(?!:)(.*))?$/s;

/** Returns the key of `server:tool`, or of all tools of `server`. */
function toolKey(inProfile: string): string {
  const [, server = inProfile, name] = SERVER_AND_TOOL.exec(inProfile) ?? [];
  const serverName = server.replaceAll('::', ':');
  return name === undefined ? serverKey(serverName) : itemKey({ type: 'tool', serverName, name });
}

export function includesFor(type: string): string {
  return type === 'tool' ? 'always, manual, agent, onDemand or off' : 'always, manual, agent or off';
}

export function isInclude(value: unknown, type: string): value is AgentInclude {
  return (type === 'tool' ? TOOL_INCLUDES : INCLUDES).some((include) => include === value);
}

/** Returns the entries of an object. Empty for other values. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}
