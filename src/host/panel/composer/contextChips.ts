import type { ChatState } from '../../../engine/chat/state.js';
import { billedPrices, PER_MILLION, ratesOf, type Rates } from '../../../engine/model/price.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { type ItemChange, itemChanges } from '../../../engine/next/itemChanges.js';
import { itemKey, shownName, type ContextItemBase, type NotSelectedReason, type RequestContextItem } from '../../../engine/record/item.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { price, tokens } from '../../../protocol/numbers.js';
import { CHIP_KINDS, type ContextChip, type ContextTotal, MOST_CHIPS, type ToolTotal } from '../../../protocol/panel/composer.js';
import { changeInWords } from '../../../protocol/panel/requestRows.js';
import { parseSelectionName } from '../../context/selectionName.js';
import { droppedSentence } from '../../request/sizeTexts.js';
import { notSelectedText } from '../../request/excluded/notSelectedItems.js';
import type { PanelState } from '../../../protocol/panel/state.js';

/** Returns the chips of the chat's context items, each with its tokens or a warning. */
export function contextChips(composed: ComposedRequest, state: ChatState): ContextChip[] {
  const { prompt, cuts, context } = composed;
  const blocks = promptBlocks(prompt).filter(({ item }) => item !== null);
  const changes = itemChanges(composed, state);
  // Tools have no chips of their own. *Manage context* lists the items that are off.
  const resolved = context.resolved.filter(({ item, notSelectedReason }) => item.type !== 'tool' && notSelectedReason?.code !== 'disabled');
  const held = resolved.filter(({ notSelectedReason }) => notSelectedReason === null).map(({ item }) => itemKey(item));
  const whole = new Set(held.filter((key) => !cuts.has(key)));
  const chips = resolved.map(({ item, notSelectedReason }): ContextChip => {
    const key = itemKey(item);
    const own = blocks.filter((block) => block.item === key);
    return {
      key,
      name: item.page?.title ?? shownName(item),
      files: null,
      tokens: own.length === 0 ? null : sumTokens(own),
      warning:
        (notSelectedReason === null ? null : refusal(item, notSelectedReason, changes.get(key))) ??
        noRoom(item, composed) ??
        changed(changes.get(key)) ??
        sentTwice(item, whole),
    };
  });
  return [...chips, ...leavingChips(composed, state)];
}

function changed(change: ItemChange | undefined): ContextChip['warning'] {
  return change === undefined || change.kind === 'deleted' ? null : { kind: 'changed', text: changeInWords(change) };
}

function refusal(item: RequestContextItem, reason: NotSelectedReason, change: ItemChange | undefined): ContextChip['warning'] {
  if (change?.kind === 'deleted') {
    return { kind: 'deleted', text: `${changeInWords(change)} ${notSelectedText(item, reason)}` };
  }
  if (reason.code === 'notRead') {
    return { kind: 'unread', text: notSelectedText(item, reason) };
  }
  const isGone = reason.code === 'missing' || reason.code === 'notInCatalog' || reason.code === 'givenTextGone';
  return { kind: isGone ? 'missing' : 'refused', text: notSelectedText(item, reason) };
}

function noRoom(item: ContextItemBase, { cuts }: ComposedRequest): ContextChip['warning'] {
  const cut = cuts.get(itemKey(item));
  return cut === undefined ? null : { kind: cut.lines === 0 ? 'refused' : 'cut', text: droppedSentence(item.name, cut) };
}

/** Warns about a selection whose whole file is also in the request. `held` are the keys of items in the request. */
function sentTwice(item: ContextItemBase, held: ReadonlySet<string>): ContextChip['warning'] {
  const { path, lines } = parseSelectionName(item.name);
  return item.type === 'file' && lines !== null && held.has(itemKey({ type: 'file', name: path }))
    ? { kind: 'twice', text: `The chat also contains the whole file ${path}, so requests contain these lines twice.` }
    : null;
}

/** Returns the chips of removed items that are still sent. Each shows the price of no longer sending it. */
function leavingChips({ prompt, size, model }: ComposedRequest, { leaving, removed }: ChatState): ContextChip[] {
  const blocks = promptBlocks(prompt);
  const prices = billedPrices(model.prices);
  const rates = prices === null ? null : ratesOf(prices, size.tokens);
  return [...leaving, ...removed].flatMap(([key, item]): ContextChip[] => {
    const first = blocks.findIndex((block) => block.item === key);
    if (first === -1) {
      return [];
    }
    const own = sumTokens(blocks.filter((block) => block.item === key));
    const behind = sumTokens(blocks.slice(first)) - own;
    const text = `You removed this item, but requests still contain it. Loupe stops sending it when the removal costs nothing extra. ${nowText(scaledTokens(behind, size), rates)}`;
    return [{ key, name: shownName(item), files: null, tokens: own, warning: { kind: 'leaving', text } }];
  });
}

/** Returns a sentence with the maximum price: everything after the item is written to the cache again. */
function nowText(rewritten: number, rates: Rates | null): string {
  const cost = rates === null ? null : (rewritten * (rates.cacheWrite5m - rates.cacheRead)) / PER_MILLION;
  return `To stop sending it now, remove the item again. The provider then writes ${tokens(rewritten)} tokens to its cache again${cost === null ? '' : `, for about ${price(cost)}`}.`;
}

/** Minimum number of files in a folder that share one chip while the list of chips is closed. */
const LEAST_FOLDED = 5;

const FOLDER = 'folder:';

/**
 * Returns the visible chips: all when the list is open, or else the first `MOST_CHIPS`, where many files of a folder
 * share one chip. A file with a warning keeps its own chip. `tools` are the numbers of tools in the next request.
 */
export function chipRows(chips: readonly ContextChip[], tools: ToolTotal, isOpen: boolean): Pick<PanelState, 'context' | 'contextTotal'> {
  const closed = folded(chips).slice(0, MOST_CHIPS);
  const own = new Set(closed.map(({ key }) => key));
  const without = chips.filter(({ key }) => !own.has(key));
  return {
    context: isOpen ? chips : closed,
    contextTotal: {
      items: chips.length,
      kinds: kindsOf(chips),
      tokens: sumOf(chips),
      folded: without.length,
      foldedWarnings: without.filter(({ warning }) => warning !== null).length,
      ...tools,
    },
  };
}

function kindsOf(chips: readonly ContextChip[]): ContextTotal['kinds'] {
  const kinds = chips.map(({ key }) => key.slice(0, key.indexOf(':')).replace('resource', 'reference'));
  return CHIP_KINDS.flatMap((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [[kind, count] as const];
  });
}

/** Returns the keys of the context items that a chip of `chipRows` represents. */
export function itemKeys(chips: readonly ContextChip[], chipKey: string): readonly string[] {
  return chipKey.startsWith(FOLDER) ? (foldersOf(chips).get(chipKey.slice(FOLDER.length)) ?? []).map(({ key }) => key) : [chipKey];
}

function folded(chips: readonly ContextChip[]): ContextChip[] {
  const folders = foldersOf(chips);
  return chips.flatMap((chip) => {
    const folder = folderOf(chip);
    const files = folder === null ? undefined : folders.get(folder);
    if (folder === null || files === undefined) {
      return [chip];
    }
    return files[0] === chip
      ? [{ key: FOLDER + folder, name: `${folder}/`, files: files.length, tokens: sumOf(files), warning: null }]
      : [];
  });
}

function foldersOf(chips: readonly ContextChip[]): ReadonlyMap<string, readonly ContextChip[]> {
  const folders = new Map<string, ContextChip[]>();
  for (const chip of chips) {
    const folder = folderOf(chip);
    if (folder !== null) {
      folders.set(folder, [...(folders.get(folder) ?? []), chip]);
    }
  }
  return new Map([...folders].filter(([, files]) => files.length >= LEAST_FOLDED));
}

function folderOf({ key, name, warning }: ContextChip): string | null {
  const end = name.lastIndexOf('/');
  return key.startsWith('file:') && warning === null && end > 0 ? name.slice(0, end) : null;
}

function sumOf(chips: readonly ContextChip[]): number {
  return chips.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
}
