import type { Category, Share } from '../../src/protocol/view.js';
import { tokens } from '../shared/numbers.js';

/** What the parts of a request are called; their colours are in meter.css under the same keys. */
export const CATEGORY_NAMES: Readonly<Record<Category | 'framing', string>> = {
  system: 'System',
  rules: 'Rules',
  references: 'References',
  files: 'Files',
  tools: 'Tools',
  conversation: 'Conversation',
  framing: 'Wire format',
};

/** `System 1,204, Rules 890`: the bar in words. */
export function sharesInWords(shares: readonly Share[]): string {
  return shares.map((share) => `${CATEGORY_NAMES[share.category]} ${tokens(share.tokens)}`).join(', ');
}
