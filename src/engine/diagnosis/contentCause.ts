import { itemKey, nameInKey, shownName } from '../record/item.js';
import { contentHash } from '../model/block.js';
import { contextKey, isPick, messageBehind, SUMMARY_KEY } from '../request/gather.js';
import { isWorkspace } from '../request/workspace.js';
import type { ManifestBlock, ManifestContent } from '../record/manifest.js';
import type { ContentCause, ItemChange, ToolChanges } from './cause.js';
import type { FirstDifference } from './firstDifference.js';

/** The beginning of the keys of system prompt fragments. */
const FRAGMENT = 'fragment:';

/** The content of a request: of one that was sent, or of the next request. */
export interface ComparedRequest extends ManifestContent {
  readonly layout: string;
}

export function contentCause(difference: FirstDifference, now: ComparedRequest, before: ComparedRequest): ContentCause {
  const { block, isMoved } = difference;
  const { layout } = now;
  if (layout !== before.layout) {
    return { kind: 'laidOutAnew', layout };
  }
  if ([difference.now, difference.before].some((each) => each?.role === 'tools')) {
    return { kind: 'tools', ...toolChanges(now, before) };
  }
  // The adaptive layout rebuilds the whole prompt after a summary, so the first different block may be any block.
  if (summaryOf(now) !== summaryOf(before) && (layout === 'adaptive' || block.category === 'conversation')) {
    return { kind: 'compacted', isUndone: summaryOf(now) === null };
  }
  const moved = changedAndMoved(difference, now, before);
  if (moved !== null) {
    return { kind: 'item', name: nameOf(moved), change: 'changed' };
  }
  if (isMoved || wasSentBefore(difference, before) || isStillHeld(difference, now)) {
    return { kind: 'laidOutAnew', layout: null };
  }
  return ownCause(difference, now, before);
}

/** Names the tools that differ. A tool that is only moved out of the prompt, to be loaded on demand, is unchanged. */
function toolChanges(now: ComparedRequest, before: ComparedRequest): ToolChanges {
  const names = new Map(
    [...before.context, ...now.context].flatMap(({ item }) => (item.type === 'tool' ? [[itemKey(item), shownName(item)]] : [])),
  );
  const [tools, were] = [toolBlocks(now), toolBlocks(before)];
  const named = (items: readonly (readonly [string, ManifestBlock])[]): readonly string[] =>
    items.map(([item]) => names.get(item) ?? nameInKey(item));
  return {
    added: named([...tools].filter(([item]) => !were.has(item))),
    removed: named([...were].filter(([item]) => !tools.has(item))),
    changed: named(
      [...tools].filter(([item, { key, hash }]) => {
        const was = were.get(item);
        return was?.key === key && was.hash !== hash;
      }),
    ),
  };
}

/** Returns the blocks of tools by item. */
function toolBlocks({ blocks }: ComparedRequest): ReadonlyMap<string, ManifestBlock> {
  return new Map(blocks.flatMap((block) => (block.role === 'tools' && block.item !== null ? [[block.item, block]] : [])));
}

/** Returns the cause that the differing block shows. */
function ownCause(difference: FirstDifference, now: ComparedRequest, before: ComparedRequest): ContentCause {
  const { item, role, category, key } = difference.block;
  if (item !== null) {
    return { kind: 'item', name: nameOf(item), change: itemChange(item, difference, { now, before }) };
  }
  if (role === 'system' && category !== 'files') {
    return { kind: 'systemPrompt', fragment: key.startsWith(FRAGMENT) ? key.slice(FRAGMENT.length) : null };
  }
  return category === 'conversation' ? conversationCause(difference, now, before) : aroundItems(difference, now, before);
}

/** Returns the key and hash of the summary in a request. Null without a summary. */
function summaryOf({ blocks }: ComparedRequest): string | null {
  const summary = blocks.find(({ key }) => key.startsWith(SUMMARY_KEY));
  return summary === undefined ? null : `${summary.key} ${summary.hash}`;
}

/** Whether the previous request contained this content at another place, because a rebuild of the prompt moved it. */
function wasSentBefore({ now }: FirstDifference, before: ComparedRequest): boolean {
  return (
    now !== null && now.item !== null && before.blocks.some((block) => block.item === now.item && contentHash(block) === contentHash(now))
  );
}

/**
 * Returns the key of an item that moved because its text changed: the tiered layout puts changed items after unchanged
 * ones. Looks at the item at the first difference, or at the files after a text that introduces files. Null if there is
 * no such item.
 */
function changedAndMoved({ at, now: here, before: there }: FirstDifference, now: ComparedRequest, before: ComparedRequest): string | null {
  if (there === null || here?.key === there.key) {
    return null;
  }
  const following = before.blocks.slice(at + 1);
  const end = following.findIndex(({ item }) => item === null);
  const left = there.item !== null ? [there] : there.category === 'files' ? following.slice(0, end === -1 ? following.length : end) : [];
  const isChanged = (block: ManifestBlock): boolean =>
    now.blocks.some((each) => each.key === block.key && contentHash(each) !== contentHash(block));
  return left.find(isChanged)?.item ?? null;
}

/** Whether the missing item is elsewhere in the request. A rebuild replaces an item and its changes by a new text. */
function isStillHeld({ now, before: there }: FirstDifference, { blocks }: ComparedRequest): boolean {
  return now === null && there !== null && there.item !== null && blocks.some(({ item }) => item === there.item);
}

function nameOf(item: string): string {
  const key = contextKey(item);
  const name = nameInKey(key);
  return isWorkspace(key) ? `the editor state "${name}"` : name;
}

function itemChange(item: string, { now, before }: FirstDifference, both: Readonly<Record<'now' | 'before', ComparedRequest>>): ItemChange {
  if (now !== null && before !== null) {
    return now.form === 'cut' || before.form === 'cut' ? 'cut' : 'changed';
  }
  const isNew = now !== null;
  const wasPicked = isPick(item) || isPicked(item, isNew ? both.now : both.before);
  if (wasPicked) {
    return isNew ? 'picked' : 'unpicked';
  }
  return isNew ? 'added' : 'removed';
}

function isPicked(item: string, { context }: ComparedRequest): boolean {
  const record = context.find((each) => itemKey(each.item) === contextKey(item));
  return record?.item.includeMode === 'agent' && record.leftOut === null;
}

/** Finds the item that changed a text around files. That text appears with the first file, and ends with the last. */
function aroundItems(difference: FirstDifference, now: ComparedRequest, before: ComparedRequest): ContentCause {
  const [held, had] = [itemsOf(now), itemsOf(before)];
  const entered = [...held].find((item) => !had.has(item));
  const left = [...had].find((item) => !held.has(item));
  const item = entered ?? left;
  if (item === undefined) {
    return { kind: 'laidOutAnew', layout: null };
  }
  const block = (entered === undefined ? before : now).blocks.find((each) => each.item === item) ?? difference.block;
  const seen = entered === undefined ? { ...difference, now: null, before: block } : { ...difference, now: block, before: null };
  return { kind: 'item', name: nameOf(item), change: itemChange(item, seen, { now, before }) };
}

function itemsOf({ blocks }: ComparedRequest): ReadonlySet<string> {
  return new Set(blocks.flatMap(({ item }) => item ?? []));
}

function conversationCause({ at, now: here, before: there }: FirstDifference, now: ComparedRequest, before: ComparedRequest): ContentCause {
  const message = there === null ? null : messageBehind(there);
  if (there === null || message === null) {
    return { kind: 'edited', what: isReply(there ?? here) ? 'reply' : 'message' };
  }
  if (isForgotten(message, now) && !isForgotten(message, before)) {
    return { kind: 'callsForgotten' };
  }
  const staying = new Set(now.blocks.map(messageBehind));
  if (staying.has(message)) {
    return { kind: 'otherForm' };
  }
  const later = before.blocks.slice(at + 1).map(messageBehind);
  // Later messages are still in the request, so a summary replaced the beginning.
  if (later.some((each) => each !== null && each !== message && staying.has(each))) {
    return { kind: 'compacted', isUndone: false };
  }
  return { kind: 'edited', what: isReply(there) ? 'reply' : 'message' };
}

function isForgotten(message: string, { forgotten }: ComparedRequest): boolean {
  return forgotten.some(({ messageId }) => messageId === message);
}

function isReply(block: ManifestBlock | null): boolean {
  return block?.role === 'assistant' || block?.role === 'tool-results';
}
