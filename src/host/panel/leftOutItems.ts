import { itemKey, type LeftOutReason } from '../../engine/context/item.js';
import type { ContextRecord } from '../../engine/request/manifest.js';
import { MOST_LEFT_OUT, SWITCHED_OFF, type LeftOutItems, type LeftOutView } from '../../protocol/contextItems.js';
import type { NewItem } from '../../protocol/nextRequest.js';
import { leftOutText } from './leftOutText.js';

/** Why an item of the catalog is not in a request, but for what is wrong with it. */
const CHOSEN: ReadonlySet<LeftOutReason['code']> = new Set(['notAdded', 'removed', 'disabled', 'belowScore', 'beyondMost', 'noFile']);

/** Whether a request holds no item because nobody and nothing picked it. */
export function isNotChosen({ leftOut }: ContextRecord): boolean {
  return leftOut !== null && CHOSEN.has(leftOut.code);
}

/** What of the catalog nobody and nothing picked for a request: the best match first, then in the order of the catalog. */
export function leftOutItems(records: readonly ContextRecord[]): LeftOutItems {
  const notChosen = records.filter(isNotChosen);
  const byScore = notChosen.toSorted((a, b) => (b.item.similarityScore ?? 0) - (a.item.similarityScore ?? 0));
  return { total: notChosen.length, first: byScore.slice(0, MOST_LEFT_OUT).map(leftOutView) };
}

/** What new chats begin with, and this one neither has nor had. */
export function newItems(records: readonly ContextRecord[]): readonly NewItem[] {
  return records
    .filter(({ item, leftOut }) => item.includeMode === 'always' && leftOut?.code === 'notAdded')
    .map(({ item }) => ({ key: itemKey(item), name: item.name }));
}

function leftOutView({ item, leftOut }: ContextRecord): LeftOutView {
  const { type, name, includeMode, similarityScore } = item;
  return {
    type,
    name,
    file: itemKey(item),
    includeMode,
    score: similarityScore ?? null,
    tokens: null,
    ofTokens: null,
    leftOut: leftOut?.code === 'disabled' ? SWITCHED_OFF : leftOut === null ? null : leftOutText(item, leftOut),
  };
}
