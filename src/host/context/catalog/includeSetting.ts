import type { AgentInclude, AgentProfile, ChosenIncludes } from '../../../engine/context/agentProfile.js';
import { entriesOf, includesFor, isInclude } from './profileIncludes.js';

/** The setting with the include modes for all chats. The modes of an agent take precedence. */
export const INCLUDE_MODES_KEY = 'includeModes';

/** A key of the setting: `server:name`, `tool:server/name`, `rule:name`, `reference:name` or `skill:name`. */
const KEY = /^(?:(server|rule|reference|skill):.|(tool):[^/]+\/.)/s;

interface IncludeSetting {
  /** Include modes by key. The mode of a server applies to all its tools without a mode of their own. */
  readonly includes: AgentProfile['includes'];
  /** A sentence for each invalid entry of the setting. Loupe ignores invalid entries. */
  readonly problems: readonly string[];
}

/** Returns the modes with who chose each. `folder`: the value of the setting in the settings of the folder. */
export function chosenIncludes(includes: AgentProfile['includes'], folder: unknown): ChosenIncludes {
  const inFolder = new Set(entriesOf(folder).map(([key]) => key));
  return new Map([...includes].map(([key, include]) => [key, { include, by: inFolder.has(key) ? 'folder' : 'everywhere' }]));
}

export function includeSetting(value: unknown, name: string): IncludeSetting {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { includes: new Map(), problems: [`${name} is invalid; expected an object with include modes. Loupe ignores the setting.`] };
  }
  const includes = new Map<string, AgentInclude>();
  const problems: string[] = [];
  for (const [key, include] of Object.entries(value)) {
    const [, itemType, tool] = KEY.exec(key) ?? [];
    const type = itemType === 'server' ? 'tool' : (itemType ?? tool);
    if (type === undefined) {
      problems.push(`${name} has the invalid key ${key}. Write server:name, tool:server/name, rule:name, reference:name or skill:name.`);
    } else if (isInclude(include, type)) {
      includes.set(key, include);
    } else {
      problems.push(`${name} has ${key} as ${JSON.stringify(include)}. Write ${includesFor(type)}.`);
    }
  }
  return { includes, problems };
}
