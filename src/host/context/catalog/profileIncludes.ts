import { serverKey, type AgentInclude } from '../../../engine/context/agentProfile.js';
import { itemKey, type CatalogType } from '../../../engine/context/item.js';
import type { FrontMatter } from './frontMatter.js';

/** The members of a profile's front matter that name items, and their types. */
export const INCLUDE_MEMBERS: Readonly<Record<CatalogType, string>> = {
  rule: 'rules',
  reference: 'references',
  skill: 'skills',
  tool: 'tools',
};

const INCLUDES: readonly unknown[] = ['always', 'manual', 'agent', 'off'] satisfies readonly AgentInclude[];

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
 */
export function profileIncludes(values: FrontMatter['values'], source: string): ProfileIncludes {
  const includes = new Map<string, AgentInclude>();
  const remarks: string[] = [];
  for (const [type, member] of Object.entries(INCLUDE_MEMBERS)) {
    for (const [name, include] of entriesOf(values.get(member))) {
      if (isInclude(include)) {
        includes.set(type === 'tool' ? toolKey(name) : `${type}:${name}`, include);
      } else {
        remarks.push(`${source} has ${member}: ${name} as ${JSON.stringify(include)}. Write always, manual, agent or off.`);
      }
    }
  }
  return { includes, remarks };
}

/** The key of `server:tool`, or of all tools of `server`. */
function toolKey(name: string): string {
  const at = name.indexOf(':');
  return at === -1 ? serverKey(name) : itemKey({ type: 'tool', serverName: name.slice(0, at), name: name.slice(at + 1) });
}

function isInclude(value: unknown): value is AgentInclude {
  return INCLUDES.includes(value);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}
