import { parseDocument } from 'yaml';
import type { AgentInclude } from '../../../engine/context/agentProfile.js';
import { frontMatterIn } from './reading/frontMatter.js';
import { INCLUDE_MEMBERS, nameInProfile, type IncludableItem } from './profileIncludes.js';

/** Returns an agent profile with a new mode for an item; null removes it. The rest stays, including comments. */
export function withInclude(text: string, item: IncludableItem, include: AgentInclude | null): string {
  const { before, yaml, after } = frontMatterIn(text) ?? { before: '---\n', yaml: '', after: `---\n${text}` };
  const document = parseDocument(yaml);
  const path = [INCLUDE_MEMBERS[item.type], nameInProfile(item)];
  if (include !== null) {
    document.setIn(path, include);
  } else if (document.hasIn(path)) {
    document.deleteIn(path);
  }
  return `${before}${document.toString()}${after}`;
}
