import { addContent, type FileContents, type FileReader } from '../../engine/context/fileContents.js';
import type { FileCut } from '../../engine/context/fileCut.js';
import { itemKey, type LeftOutReason, type SessionContextItem } from '../../engine/context/item.js';
import type { Sha256 } from '../../engine/ports.js';
import type { ContextRecord } from '../../engine/request/manifest.js';
import { toLoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';

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
  readonly resolved: readonly ResolvedItem[];
}

/** Looks up the current content of every session context item. Never rejects: an unreadable item is left out, with the reason. */
export async function resolveContext(
  context: ReadonlyMap<string, SessionContextItem>,
  reader: FileReader,
  { sha256, blobs }: { readonly sha256: Sha256; readonly blobs: Pick<Blobs, 'get'> },
): Promise<ResolvedContext> {
  const looked = await Promise.all([...context.values()].map((item) => lookUp(item, reader, blobs)));
  const resolved: ResolvedItem[] = [];
  const files = new Map<string, string>();
  for (const { item, content, problem } of looked) {
    const leftOut = content === null ? problem : addContent(files, item.name, content);
    resolved.push({ item, hash: content === null ? null : sha256(content), leftOut });
  }
  return { files, resolved };
}

interface LookedUp {
  readonly item: SessionContextItem;
  readonly content: string | null;
  readonly problem: LeftOutReason | null;
}

async function lookUp(item: SessionContextItem, reader: FileReader, blobs: Pick<Blobs, 'get'>): Promise<LookedUp> {
  if (item.type !== 'file') {
    return { item, content: null, problem: { code: 'notInCatalog' } };
  }
  if (item.given !== null) {
    return 'inline' in item.given ? { item, content: item.given.inline, problem: null } : keptText(item, item.given.blob, blobs);
  }
  const read = await reader.read(item.name);
  return read.ok ? { item, content: read.content, problem: null } : { item, content: null, problem: read.problem };
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
