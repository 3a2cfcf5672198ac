import { basename } from 'node:path/posix';
import type { AgentProfile, AgentProfiles } from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import { modeOfRule } from './reading/ruleFormats.js';

/**
 * Gives an agent the rules of the mode with its name: Roo Code and Kilo Code read `.roo/rules-code` only in the mode
 * `code`. A mode that the file of the agent sets for a rule takes precedence.
 */
export function withModeRules(profiles: AgentProfiles, catalog: Catalog): AgentProfiles {
  const rules = [...catalog].flatMap(([key, { source }]) => {
    const mode = modeOfRule(source);
    return mode === null ? [] : [{ key, mode }];
  });
  if (rules.length === 0) {
    return profiles;
  }
  return new Map(
    [...profiles].map(([name, profile]) => {
      const own = rules.filter(({ mode }) => isNamed(profile, mode)).map(({ key }) => [key, 'always'] as const);
      return [name, own.length === 0 ? profile : { ...profile, includes: new Map([...own, ...profile.includes]) }];
    }),
  );
}

/** Whether an agent has the name of a mode, in its front matter or as its file. */
function isNamed({ name, source }: AgentProfile, mode: string): boolean {
  const names = [name, basename(source).replace(/(?:\.agent)?\.md$/, '')];
  return names.some((each) => each.toLowerCase().replaceAll(/\s+/g, '-') === mode.toLowerCase());
}
