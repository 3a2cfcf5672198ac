import { CORRECTION } from '../../../src/protocol/correction.js';
import type { Category } from '../../../src/protocol/panel/requestRows.js';
import type { Share } from '../../../src/protocol/panel/nextRequest.js';
import { signedTokens, tokens } from '../../shared/numbers.js';

/** Names of the parts of a request. `shareBar.css` defines a colour for each key. */
export const CATEGORY_NAMES: Readonly<Record<Category | 'framing', string>> = {
  system: 'System',
  rules: 'Rules',
  references: 'References',
  skills: 'Skills',
  files: 'Files',
  repository: 'Repository map',
  tools: 'Tools',
  conversation: 'Conversation',
  editor: 'Editor',
  framing: 'Formatting',
};

/** Describes the parts of a request: `System 1,204, Rules 890`. Adds a remainder, so that the sum is the total. */
export function sharesInWords(shares: readonly Share[], totalTokens: number): string {
  const rest = shares.reduce((left, share) => left - share.tokens, totalTokens);
  const words = shares.map((share) => `${CATEGORY_NAMES[share.category]} ${tokens(share.tokens)}`);
  return [...words, ...(rest === 0 ? [] : [`${CORRECTION} ${signedTokens(rest)}`])].join(', ');
}
