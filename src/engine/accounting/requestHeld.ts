import type { ContextItemType } from '../record/item.js';
import type { Category } from '../model/block.js';
import type { ManifestContent } from '../record/manifest.js';

/** The kinds of blocks, in the order in which the panel, exports and stored files list them. */
export const HELD_CATEGORIES = [
  'system',
  'rules',
  'references',
  'skills',
  'files',
  'repository',
  'tools',
  'conversation',
  'editor',
] as const satisfies readonly Category[];
/** The kinds of context items, in the order in which the panel, exports and stored files list them. */
export const HELD_TYPES = [
  'rule',
  'reference',
  'skill',
  'tool',
  'file',
  'page',
  'repository',
] as const satisfies readonly ContextItemType[];

/** The content of a request in numbers. Plain JSON. */
export interface RequestHeld {
  /** Tokens by kind of block, as counted by Loupe, without the tokens that the wire format adds. */
  readonly tokens: Readonly<Record<Category, number>>;
  /** Number of context items in the request. Includes files that are sent in part, and tools that are only listed. */
  readonly items: Readonly<Record<ContextItemType, number>>;
  readonly notSelected: number;
}

export function requestHeld({ blocks, context }: Pick<ManifestContent, 'blocks' | 'context'>): RequestHeld {
  const tokens = { system: 0, rules: 0, references: 0, skills: 0, files: 0, repository: 0, tools: 0, conversation: 0, editor: 0 };
  for (const block of blocks) {
    tokens[block.category] += block.tokens;
  }
  const items = { rule: 0, reference: 0, skill: 0, tool: 0, file: 0, page: 0, repository: 0 };
  let notSelected = 0;
  for (const { item, leftOut } of context) {
    if (leftOut === null) {
      items[item.type] += 1;
    } else {
      notSelected += 1;
    }
  }
  return { tokens, items, notSelected };
}

/** Returns the figures as a list without names, to save space in files with many requests. */
export function heldFigures({ tokens, items, notSelected }: RequestHeld): readonly number[] {
  return [...HELD_CATEGORIES.map((category) => tokens[category]), ...HELD_TYPES.map((type) => items[type]), notSelected];
}

export const HELD_FIGURES = HELD_CATEGORIES.length + HELD_TYPES.length + 1;

/** Reverses `heldFigures`. The list must have `HELD_FIGURES` numbers. */
export function heldOf(figures: readonly number[]): RequestHeld {
  const recordOf = <Key extends string>(keys: readonly Key[], from: number): Record<Key, number> =>
    Object.fromEntries(keys.map((key, at) => [key, figures[from + at]])) as Record<Key, number>;
  return {
    tokens: recordOf(HELD_CATEGORIES, 0),
    items: recordOf(HELD_TYPES, HELD_CATEGORIES.length),
    ...recordOf(['notSelected'], HELD_CATEGORIES.length + HELD_TYPES.length),
  };
}
