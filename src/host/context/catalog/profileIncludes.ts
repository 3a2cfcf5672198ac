import { serverKey, type AgentInclude } from '../../../engine/context/agentProfile.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { itemKey, type CatalogType } from '../../../engine/record/item.js';
import type { FrontMatter } from './reading/frontMatter.js';

/** The members of a profile's front matter that name items, and their types. */
export const INCLUDE_MEMBERS: Readonly<Record<CatalogType, string>> = {
  rule: 'rules',
  reference: 'references',
  skill: 'skills',
  tool: 'tools',
};

const INCLUDES: readonly AgentInclude[] = ['always', 'manual', 'agent', 'off'];

/** Only tools are loaded by the model. */
const TOOL_INCLUDES: readonly AgentInclude[] = [...INCLUDES, 'onDemand'];

export interface ProfileIncludes {
  /** By item key. */
  readonly includes: ReadonlyMap<string, AgentInclude>;
  readonly remarks: readonly string[];
}

/**
 * How an agent has its rules, references, skills and tools, these by server or by server and name:
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

/** What an agent can have in a mode: an item, or all tools of a server that it does not name. */
export type Included = Pick<CatalogItem, 'type' | 'name' | 'serverName'>;

/** The name of an item, or of a server, in a profile. */
export function nameInProfile({ type, name, serverName }: Included): string {
  if (type !== 'tool') {
    return name;
  }
  const server = (serverName ?? name).replaceAll(':', '::');
  return serverName === null ? server : `${server}:${name}`;
}

/** A server, and behind the first colon that is not doubled a tool of it. */
const SERVER_AND_TOOL = /^((?:[^:]|::)+?)(?::(?!:)(.*))?$/s;

/** The key of `server:tool`, or of all tools of `server`. */
function toolKey(inProfile: string): string {
  const [, server = inProfile, name] = SERVER_AND_TOOL.exec(inProfile) ?? [];
  const serverName = server.replaceAll('::', ':');
  return name === undefined ? serverKey(serverName) : itemKey({ type: 'tool', serverName, name });
}

/** The modes for a type of item, in words. */
export function includesFor(type: string): string {
  return type === 'tool' ? 'always, manual, agent, onDemand or off' : 'always, manual, agent or off';
}

export function isInclude(value: unknown, type: string): value is AgentInclude {
  return (type === 'tool' ? TOOL_INCLUDES : INCLUDES).some((include) => include === value);
}

/** None for what is no object. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}
