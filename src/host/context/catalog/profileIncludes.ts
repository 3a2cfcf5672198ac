import type { AgentInclude } from '../../../engine/context/agentProfile.js';
import type { CatalogType } from '../../../engine/context/item.js';
import type { FrontMatter } from './frontMatter.js';

/** The members of a profile's front matter that name items, and their types. */
export const INCLUDE_MEMBERS: Readonly<Record<CatalogType, string>> = { rule: 'rules', reference: 'references', skill: 'skills' };

const INCLUDES: readonly unknown[] = ['always', 'manual', 'agent', 'off'] satisfies readonly AgentInclude[];

export interface ProfileIncludes {
  /** By item key. */
  readonly includes: ReadonlyMap<string, AgentInclude>;
  readonly remarks: readonly string[];
}

/**
 * How an agent has its rules, references and skills:
 *
 *     rules:
 *       Error handling: always
 *       CLAUDE.md: off
 */
export function profileIncludes(values: FrontMatter['values'], source: string): ProfileIncludes {
  const includes = new Map<string, AgentInclude>();
  const remarks: string[] = [];
  for (const [type, member] of Object.entries(INCLUDE_MEMBERS)) {
    for (const [name, include] of entriesOf(values.get(member))) {
      if (isInclude(include)) {
        includes.set(`${type}:${name}`, include);
      } else {
        remarks.push(`${source} has ${member}: ${name} as ${JSON.stringify(include)}. Write always, manual, agent or off.`);
      }
    }
  }
  return { includes, remarks };
}

function isInclude(value: unknown): value is AgentInclude {
  return INCLUDES.includes(value);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}
