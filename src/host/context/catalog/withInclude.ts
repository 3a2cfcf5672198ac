import { parseDocument } from 'yaml';
import type { AgentInclude } from '../../../engine/context/agentProfile.js';
import { frontMatterIn } from './reading/frontMatter.js';
import { INCLUDE_MEMBERS, nameInProfile, type IncludableItem } from './profileIncludes.js';

/** Returns the text of an agent profile with a new mode for an item. The rest of the text stays, including comments. */
export function withInclude(text: string, item: IncludableItem, include: AgentInclude): string {
  const { before, yaml, after } = frontMatterIn(text) ?? { before: '---\n', yaml: '', after: `---\n${text}` };
  const document = parseDocument(yaml);
  document.setIn([INCLUDE_MEMBERS[item.type], nameInProfile(item)], include);
  return `${before}${document.toString()}${after}`;
}
