import type { Category } from '../../src/protocol/requestRows.js';
import type { Share } from '../../src/protocol/view.js';
import { tokens } from '../shared/numbers.js';

/** Names of the parts of a request. shareBar.css has their colours under the same keys. */
export const CATEGORY_NAMES: Readonly<Record<Category | 'framing', string>> = {
  system: 'System',
  rules: 'Rules',
  references: 'References',
  skills: 'Skills',
  files: 'Files',
  tools: 'Tools',
  conversation: 'Conversation',
  framing: 'Message overhead',
};

/** `System 1,204, Rules 890`: the bar in words. */
export function sharesInWords(shares: readonly Share[]): string {
  return shares.map((share) => `${CATEGORY_NAMES[share.category]} ${tokens(share.tokens)}`).join(', ');
}
