import { itemKey, type LeftOutReason, type RequestContextItem } from '../../../engine/record/item.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import { MOST_LEFT_OUT, type LeftOutItems, type LeftOutView } from '../../../protocol/panel/contextItems.js';
import type { NewItem } from '../../../protocol/panel/nextRequest.js';
import { shownName } from '../shownName.js';
import { leftOutText } from './leftOutText.js';

/** Reasons why an item of the catalog was not selected, other than problems with the item. */
const CHOSEN: ReadonlySet<LeftOutReason['code']> = new Set([
  'notAdded',
  'removed',
  'disabled',
  'belowScore',
  'beyondMost',
  'noFile',
  'shadowed',
]);
/** Of these reasons, the ones with which the user cannot add the item. */
const FIXED: ReadonlySet<LeftOutReason['code']> = new Set(['disabled', 'shadowed']);

const BYTES_PER_MB = 1024 * 1024;

export function isNotChosen({ leftOut }: ContextRecord): boolean {
  return leftOut !== null && CHOSEN.has(leftOut.code);
}

/** Returns the catalog items that were not selected: best match first, then in catalog order. */
export function leftOutItems(records: readonly ContextRecord[]): LeftOutItems {
  return itemsOf(records.filter(isNotChosen));
}

/** Returns everything that the next request does not hold. Items that cannot be sent come first. */
export function allLeftOut(records: readonly ContextRecord[]): LeftOutItems {
  return itemsOf(records.filter(({ leftOut }) => leftOut !== null));
}

function itemsOf(all: readonly ContextRecord[]): LeftOutItems {
  // Omits unadded VS Code tools, because the tool group lists dozens of them, and tools that the model does not
  // support.
  const records = all.filter(({ item, leftOut }) => item.type !== 'tool' || (leftOut?.code !== 'notAdded' && leftOut?.code !== 'noTools'));
  const byScore = records.toSorted((a, b) => rank(b) - rank(a));
  return { total: records.length, first: byScore.slice(0, MOST_LEFT_OUT).map(leftOutView) };
}

/** Sorts problems first: they rank 2, and no score is above 1. */
function rank(record: ContextRecord): number {
  return isNotChosen(record) ? (record.item.similarityScore ?? 0) : 2;
}

/** Returns items that new chats start with and this chat never had. */
export function newItems(records: readonly ContextRecord[]): readonly NewItem[] {
  return records
    .filter(({ item, leftOut }) => item.includeMode === 'always' && leftOut?.code === 'notAdded')
    .map(({ item }) => ({ key: itemKey(item), name: item.name }));
}

/** Returns the tools of a server that a request does not hold, in the order of the server. */
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

/** Returns why a request does not hold an item, briefly if possible, for a row that already shows its name. */
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
