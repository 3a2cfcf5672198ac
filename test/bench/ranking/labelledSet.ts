import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RankedTexts } from '../../../src/engine/context/rank/lexical.js';
import { root } from '../../support/paths.mjs';

/** A message of a programmer, and the keys of the items that it should find. */
export interface Labelled {
  readonly text: string;
  readonly wants: readonly string[];
  /** What the ranker may have been fitted to, and what it is measured with. */
  readonly set: 'tune' | 'test';
}

/** Rules, skills and tools, and messages for them. They were written before the weights of the ranker were set. */
export function labelledSet(): { readonly items: readonly RankedTexts[]; readonly messages: readonly Labelled[] } {
  const { items, messages } = JSON.parse(readFileSync(join(root, 'test/bench/ranking/labelled.json'), 'utf8')) as Written;
  return { items: items.map((item) => ({ ...item, headings: item.headings.join('\n') })), messages };
}

interface Written {
  readonly items: readonly (Omit<RankedTexts, 'headings'> & { readonly headings: readonly string[] })[];
  readonly messages: readonly Labelled[];
}
