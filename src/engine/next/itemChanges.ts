import type { ChatState } from '../chat/state.js';
import { type Block, contentHash } from '../model/block.js';
import type { Sha256 } from '../ports.js';
import { promptBlocks } from '../model/prompt.js';
import { itemKey } from '../record/item.js';
import type { ManifestBlock, ManifestContent } from '../record/manifest.js';
import { manifestBase } from '../request/base.js';
import { blockHash } from '../request/blockFactory.js';
import { contextKey } from '../request/gather.js';
import { textInNote } from '../request/layout/adaptive/systemNotes.js';
import { NO_CONTENT } from '../request/rebuild.js';
import type { ComposedRequest } from './compose.js';
import type { ResolvedItem } from './resolved.js';

/**
 * How an item differs from the last request of the chat:
 * - `changed`: its content is different. `tokens`: how many more tokens the item has now; negative for fewer.
 * - `changedSinceAdded`: the last request does not contain it, and its content is different from when the user added
 *   it.
 * - `deleted`: the last request contained it, and it no longer exists.
 */
export type ItemChange =
  | { readonly kind: 'changed'; readonly tokens: number }
  | { readonly kind: 'changedSinceAdded' }
  | { readonly kind: 'deleted' };

type SizedBlock = Pick<Block, 'item' | 'hash' | 'copyHash' | 'tokens'>;

/** The categories of items whose texts are parts of the system prompt. */
const TEXTS: ReadonlySet<Block['category']> = new Set(['rules', 'references', 'skills']);

/** The last block of an item in a request, and the tokens of all its blocks. */
interface Copy<B extends SizedBlock> {
  readonly block: B;
  readonly tokens: number;
}

export type ItemChanges = ReadonlyMap<string, ItemChange>;

const known = new WeakMap<ComposedRequest, ItemChanges>();

/**
 * Returns the changed and deleted items of the next request by key. Compares hashes with the last request for a reply.
 * Cached, because chips and rows need the result.
 */
export function itemChanges(composed: ComposedRequest, state: ChatState): ItemChanges {
  const changes = known.get(composed) ?? compared(composed, state);
  known.set(composed, changes);
  return changes;
}

function compared({ prompt, cuts, records, context, inputs }: ComposedRequest, state: ChatState): ItemChanges {
  const { sha256 } = inputs.factory;
  const sent = manifestBase(state)?.content ?? NO_CONTENT;
  const [before, now] = [copiesIn(sent.blocks), copiesIn(promptBlocks(prompt))];
  const wholeHashes = new Map(sent.context.flatMap(({ item, cut }) => (cut === undefined ? [] : [[itemKey(item), cut.hash] as const])));
  const added = new Map(context.resolved.map((entry) => [itemKey(entry.item), entry]));
  const held = new Set(records.flatMap(({ item, leftOut }) => (leftOut === null ? [itemKey(item)] : [])));
  const changes = new Map<string, ItemChange>(deletedKeys(records, sent).map((key) => [key, { kind: 'deleted' }]));
  for (const [item, copy] of now) {
    const key = contextKey(item);
    const change = held.has(key)
      ? changeOf(copy, before.get(item), { whole: wholeHashes.get(key), isCut: cuts.has(key), entry: added.get(key), sha256 })
      : null;
    if (change !== null) {
      changes.set(key, change);
    }
  }
  return changes;
}

function copiesIn<B extends SizedBlock>(blocks: readonly B[]): ReadonlyMap<string, Copy<B>> {
  const copies = new Map<string, Copy<B>>();
  for (const block of blocks) {
    if (block.item !== null) {
      copies.set(block.item, { block, tokens: (copies.get(block.item)?.tokens ?? 0) + block.tokens });
    }
  }
  return copies;
}

/**
 * Whether a block has the content of an earlier block. Rules, references and skills have different blocks in the system
 * prompt, at its end and in notes, so this compares their texts.
 */
function isSameContent(now: Block, before: ManifestBlock, sha256: Sha256): boolean {
  if (contentHash(now) === contentHash(before)) {
    return true;
  }
  const { content } = before;
  if (now.part.type !== 'text' || !TEXTS.has(now.category) || content === null) {
    return false;
  }
  const { text } = now.part;
  if ('inline' in content) {
    return content.inline.type === 'text' && ownText(content.inline.text) === ownText(text);
  }
  // The log stores a text over 16 KB apart. In a note, its change is unknown, and unknown changes are not shown.
  const forms = [text, `${text}\n`, text.replace(/\n$/, '')];
  return before.role !== 'system' || forms.some((form) => blockHash('system', { type: 'text', text: form }, sha256) === before.hash);
}

function ownText(text: string): string {
  return textInNote(text).trim();
}

interface KnownContents {
  /** The hash of the whole file, if the last request contained only its beginning. */
  readonly whole: string | undefined;
  /** Whether the next request contains only the beginning. */
  readonly isCut: boolean;
  /** The item of the chat. Undefined for an item that Loupe picked. */
  readonly entry: ResolvedItem | undefined;
  readonly sha256: Sha256;
}

function changeOf(
  now: Copy<Block>,
  before: Copy<ManifestBlock> | undefined,
  { whole, isCut, entry, sha256 }: KnownContents,
): ItemChange | null {
  if (before === undefined) {
    const added = entry?.item.addedHash ?? null;
    return added === null || added === entry?.hash ? null : { kind: 'changedSinceAdded' };
  }
  const change = { kind: 'changed', tokens: now.tokens - before.tokens } as const;
  if (whole !== undefined) {
    return whole === entry?.hash ? null : change;
  }
  // The hash of a part says nothing about the whole file that was sent before.
  return isCut || isSameContent(now.block, before.block, sha256) ? null : change;
}

/** Returns the keys of items that the last request contained, and that no longer exist. */
function deletedKeys(records: ComposedRequest['records'], sent: Pick<ManifestContent, 'context'>): readonly string[] {
  const before = new Set(sent.context.flatMap(({ item, leftOut }) => (leftOut === null ? [itemKey(item)] : [])));
  return records.flatMap(({ item, leftOut }) => {
    const isGone = leftOut?.code === 'missing' || leftOut?.code === 'notInCatalog';
    return isGone && item.type !== 'tool' && before.has(itemKey(item)) ? [itemKey(item)] : [];
  });
}
