import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import type { SessionContextItem } from '../../../engine/context/item.js';
import { problemText } from '../files/refusal.js';

/** A rule, a reference or a skill to choose. */
export interface CatalogRow extends Pick<CatalogItem, 'type' | 'name'> {
  readonly key: string;
  /** What it is, and how it gets into chats. */
  readonly about: string;
  /** What it says of itself, and what is wrong with it. */
  readonly detail: string;
  readonly isIn: boolean;
}

const INCLUDED = {
  always: 'in each new chat',
  manual: 'added by hand',
  agent: 'picked for a message it fits',
} as const;

const TYPES = ['rule', 'reference', 'skill'] as const;

/** All rules, then all references and skills, with whether a chat has them. */
export function catalogRows(catalog: Catalog, context: ReadonlyMap<string, SessionContextItem>): readonly CatalogRow[] {
  const rows = [...catalog].map(([key, item]): CatalogRow => {
    const { type, name, source, isEnabled, description, problem, remarks } = item;
    const from = name === source ? [] : [source];
    const about = [type, ...from, isEnabled ? included(item) : 'switched off in its file'].join(' · ');
    const wrong = problem === null ? remarks : [problemText(source, problem), ...remarks];
    return { key, type, name, about, detail: [description, ...wrong].filter((text) => text !== '').join(' '), isIn: context.has(key) };
  });
  return TYPES.flatMap((wanted) => rows.filter(({ type }) => type === wanted));
}

function included({ include, applies, description }: CatalogItem): string {
  const files = applies === null || include !== 'agent' ? [] : [`for ${applies.patterns.join(', ')}`];
  return [...files, ...(files.length > 0 && description === '' ? [] : [INCLUDED[include]])].join(', or ');
}
