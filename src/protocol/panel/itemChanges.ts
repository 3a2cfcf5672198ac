import type { ItemChange } from '../../engine/next/itemChanges.js';
import { counted } from '../numbers.js';

export type { ItemChange };

/** Describes a change for a tooltip or a note. */
export function changeInWords(change: ItemChange): string {
  switch (change.kind) {
    case 'changed':
      return `Changed since the last request (${sizeInWords(change.tokens)}). The next request sends the new version.`;
    case 'changedSinceAdded':
      return 'Changed since you added it. The next request sends the new version.';
    case 'deleted':
      return 'Deleted since the last request.';
  }
}

function sizeInWords(tokens: number): string {
  return tokens === 0 ? 'same size' : `${tokens > 0 ? '+' : '−'}${counted(Math.abs(tokens), 'token')}`;
}
