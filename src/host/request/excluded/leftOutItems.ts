import { itemKey, type LeftOutReason, type RequestContextItem } from '../../../engine/record/item.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import { MOST_LEFT_OUT, type LeftOutItems, type LeftOutView } from '../../../protocol/panel/contextItems.js';
import type { NewItem } from '../../../protocol/panel/nextRequest.js';
import { shownName } from '../shownName.js';
import { leftOutText } from './leftOutText.js';

/** Why an item of the catalog is not in a request, but for what is wrong with it. */
const CHOSEN: ReadonlySet<LeftOutReason['code']> = new Set([
  'notAdded',
  'removed',
  'disabled',
  'belowScore',
  'beyondMost',
  'noFile',
  'shadowed',
]);
/** Of these, what cannot be added. */
const FIXED: ReadonlySet<LeftOutReason['code']> = new Set(['disabled', 'shadowed']);

const BYTES_PER_MB = 1024 * 1024;

/** Whether a request lacks an item because it was not picked. */
export function isNotChosen({ leftOut }: ContextRecord): boolean {
  return leftOut !== null && CHOSEN.has(leftOut.code);
}

/** Items of the catalog that were not picked for a request: the best match first, then in the order of the catalog. */
export function leftOutItems(records: readonly ContextRecord[]): LeftOutItems {
  return itemsOf(records.filter(isNotChosen));
}

/** All that the next request leaves out: first what cannot be sent. */
export function allLeftOut(records: readonly ContextRecord[]): LeftOutItems {
  return itemsOf(records.filter(({ leftOut }) => leftOut !== null));
}

function itemsOf(all: readonly ContextRecord[]): LeftOutItems {
  // Dozens of tools of VS Code wait to be added by hand: the group of the tools has them. One sentence says that a model takes no tools.
  const records = all.filter(({ item, leftOut }) => item.type !== 'tool' || (leftOut?.code !== 'notAdded' && leftOut?.code !== 'noTools'));
  const byScore = records.toSorted((a, b) => rank(b) - rank(a));
  return { total: records.length, first: byScore.slice(0, MOST_LEFT_OUT).map(leftOutView) };
}

/** No score is above 1. */
function rank(record: ContextRecord): number {
  return isNotChosen(record) ? (record.item.similarityScore ?? 0) : 2;
}

/** What new chats begin with, and this one neither has nor had. */
export function newItems(records: readonly ContextRecord[]): readonly NewItem[] {
  return records
    .filter(({ item, leftOut }) => item.includeMode === 'always' && leftOut?.code === 'notAdded')
    .map(({ item }) => ({ key: itemKey(item), name: item.name }));
}

/** The tools of a server that a request leaves out, in the order of the server. */
export function leftOutTools(records: readonly ContextRecord[]): LeftOutItems {
  const out = records.filter(({ leftOut }) => leftOut !== null);
  return { total: out.length, first: out.slice(0, MOST_LEFT_OUT).map((record) => ({ ...leftOutView(record), name: record.item.name })) };
}

function leftOutView(record: ContextRecord): LeftOutView {
  const { item, leftOut } = record;
  const { type, includeMode, similarityScore } = item;
  return {
    type,
    name: shownName(item),
    file: itemKey(item),
    includeMode,
    score: similarityScore ?? null,
    tokens: null,
    ofTokens: null,
    leftOut: leftOut === null ? null : leftOutBriefly(item, leftOut),
    canBeAdded: leftOut !== null && CHOSEN.has(leftOut.code) && !FIXED.has(leftOut.code),
  };
}

/** Why a request leaves out an item, in the words of a row that has its name; the sentence where no few words say it. */
export function leftOutBriefly(item: RequestContextItem, reason: LeftOutReason): string {
  switch (reason.code) {
    case 'disabled':
      return 'switched off';
    case 'missing':
    case 'notInCatalog':
      return 'missing';
    case 'tooLarge':
      return `${(reason.bytes / BYTES_PER_MB).toFixed(1)} MB, over the limit`;
    case 'tooLargeUnsaved':
      return 'over the limit';
    case 'binary':
      return 'not a text file';
    case 'notUtf8':
      return 'not UTF-8';
    case 'leadsOut':
      return 'outside the workspace';
    case 'shadowed':
      return `same file as ${reason.by}`;
    case 'restricted':
      return 'Restricted Mode';
    case 'serverFailed':
      return 'its server failed';
    default:
      return leftOutText(item, reason);
  }
}
