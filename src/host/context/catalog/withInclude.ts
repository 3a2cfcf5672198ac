import { parseDocument } from 'yaml';
import type { AgentInclude } from '../../../engine/context/agentProfile.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { frontMatterIn } from './frontMatter.js';
import { INCLUDE_MEMBERS } from './profileIncludes.js';

/** What an agent can have in a mode: an item, or all tools of a server that it does not name. */
export type Included = Pick<CatalogItem, 'type' | 'name' | 'serverName'>;

/** The text of an agent profile that has an item in another mode. All else of it stays, comments too. */
export function withInclude(text: string, { type, name, serverName }: Included, include: AgentInclude): string {
  const { before, yaml, after } = frontMatterIn(text) ?? { before: '---\n', yaml: '', after: `---\n${text}` };
  const document = parseDocument(yaml);
  document.setIn([INCLUDE_MEMBERS[type], serverName === null ? name : `${serverName}:${name}`], include);
  return `${before}${document.toString()}${after}`;
}
