import { EMPTY_CATALOG, type Catalog, type CatalogItem } from '../../engine/context/catalogItem.js';
import { addContent, type FileContents, type FileReader } from '../../engine/context/fileContents.js';
import type { FileCut } from '../../engine/context/fileCut.js';
import { itemKey, type LeftOutReason, type SessionContextItem } from '../../engine/context/item.js';
import type { Sha256 } from '../../engine/ports.js';
import type { StandingItem } from '../../engine/request/gather.js';
import type { ContextRecord } from '../../engine/request/manifest.js';
import { toLoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';
import type { CatalogSource } from './catalog/workspaceCatalog.js';

/** The result of looking up a session context item for a request. */
export interface ResolvedItem {
  readonly item: SessionContextItem;
  /** SHA-256 of the content; null when there is none. */
  readonly hash: string | null;
  /** Why the item is left out; null when it is in. */
  readonly leftOut: LeftOutReason | null;
}

export interface ResolvedContext {
  readonly files: FileContents;
  /** Rules and references, the more important ones first. */
  readonly standing: readonly StandingItem[];
  readonly resolved: readonly ResolvedItem[];
}

/** Looks up the current content of every session context item. Never rejects: an unreadable item is left out, with the reason. */
export async function resolveContext(
  context: ReadonlyMap<string, SessionContextItem>,
  reader: FileReader,
  { sha256, blobs, catalog }: ContextSources,
): Promise<ResolvedContext> {
  const needsCatalog = [...context.values()].some(({ type }) => type === 'rule' || type === 'reference');
  const known: KnownCatalog = { items: needsCatalog ? await catalog.read() : EMPTY_CATALOG, isRestricted: catalog.isRestricted() };
  const looked = await Promise.all([...context.values()].map((item) => lookUp(item, reader, { blobs, known })));
  const resolved: ResolvedItem[] = [];
  const files = new Map<string, string>();
  for (const { item, content, problem } of looked) {
    const leftOut = content === null ? problem : item.type === 'file' ? addContent(files, item.name, content) : null;
    resolved.push({ item, hash: content === null ? null : sha256(content), leftOut });
  }
  const held = new Set(resolved.flatMap(({ item, leftOut }) => (leftOut === null ? [itemKey(item)] : [])));
  // In the order of the catalog, not in that in which they were added: the same rules are the same prompt.
  return { files, standing: [...known.items].flatMap(([key, item]) => (held.has(key) ? [standingItem(key, item)] : [])), resolved };
}

interface ContextSources {
  readonly sha256: Sha256;
  readonly blobs: Pick<Blobs, 'get'>;
  readonly catalog: CatalogSource;
}

interface KnownCatalog {
  readonly items: Catalog;
  readonly isRestricted: boolean;
}

function standingItem(key: string, { type, name, source, text }: CatalogItem): StandingItem {
  const from = name === source ? '' : ` (${source})`;
  return {
    key,
    category: type === 'rule' ? 'rules' : 'references',
    text: `# ${type === 'rule' ? 'Rules' : 'Reference'}: ${name}${from}\n\n${text ?? ''}`,
  };
}

interface LookedUp {
  readonly item: SessionContextItem;
  readonly content: string | null;
  readonly problem: LeftOutReason | null;
}

async function lookUp(
  item: SessionContextItem,
  reader: FileReader,
  { blobs, known }: Pick<ContextSources, 'blobs'> & { readonly known: KnownCatalog },
): Promise<LookedUp> {
  if (item.type !== 'file') {
    return lookUpInCatalog(item, known);
  }
  if (item.given !== null) {
    return 'inline' in item.given ? { item, content: item.given.inline, problem: null } : keptText(item, item.given.blob, blobs);
  }
  const read = await reader.read(item.name);
  return read.ok ? { item, content: read.content, problem: null } : { item, content: null, problem: read.problem };
}

function lookUpInCatalog(item: SessionContextItem, { items, isRestricted }: KnownCatalog): LookedUp {
  const found = items.get(itemKey(item));
  if (isRestricted) {
    return { item, content: null, problem: { code: 'restricted' } };
  }
  if (found === undefined) {
    return { item, content: null, problem: { code: 'notInCatalog' } };
  }
  return found.isEnabled ? { item, content: found.text, problem: found.problem } : { item, content: null, problem: { code: 'disabled' } };
}

/** The text that was given with an item, stored as a blob. */
async function keptText(item: SessionContextItem, blob: string, blobs: Pick<Blobs, 'get'>): Promise<LookedUp> {
  try {
    return { item, content: Buffer.from(await blobs.get(blob)).toString('utf8'), problem: null };
  } catch (thrown) {
    return { item, content: null, problem: { code: 'givenTextGone', text: toLoupeError(thrown).message } };
  }
}

/** The record of an item in a request: identity, include mode, why it was left out, and what of it was held where it was cut. */
export function contextRecord(
  { item: { addedHash: _addedHash, given: _given, ...item }, leftOut }: ResolvedItem,
  cuts: ReadonlyMap<string, FileCut>,
): ContextRecord {
  const cut = cuts.get(itemKey(item));
  if (cut === undefined) {
    return { item, leftOut };
  }
  const { hash, lines, ofTokens } = cut;
  return lines === 0 ? { item, leftOut: { code: 'noRoom', hash, tokens: ofTokens } } : { item, leftOut, cut };
}
