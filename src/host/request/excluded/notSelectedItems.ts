import { itemKey, type NotSelectedReason, type OffBy, type RequestContextItem, shownName } from '../../../engine/record/item.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import {
  type ContextItemView,
  MOST_LISTED_ITEMS,
  type NotSelectedItems,
  type NotSelectedView,
} from '../../../protocol/panel/requestRows.js';
import type { NewItem } from '../../../protocol/panel/nextRequest.js';
import { counted } from '../../../protocol/numbers.js';
import { problemText } from '../../context/files/refusal.js';

/** Reasons that come from the user's choices or the ranking, and not from a problem with the item. */
const CHOSEN: ReadonlySet<NotSelectedReason['code']> = new Set([
  'notAdded',
  'removed',
  'disabled',
  'belowScore',
  'beyondMost',
  'noFile',
  'shadowed',
  'overruled',
]);
/** Reasons for which the user cannot add the item. */
const FIXED: ReadonlySet<NotSelectedReason['code']> = new Set(['disabled', 'shadowed', 'overruled']);

const BYTES_PER_MB = 1024 * 1024;

export function isNotChosen({ leftOut }: ContextRecord): boolean {
  return leftOut !== null && CHOSEN.has(leftOut.code);
}

/** Returns the catalog items that were not selected: best match first, all others in catalog order. */
export function notSelectedItems(records: readonly ContextRecord[]): NotSelectedItems {
  return itemsOf(records.filter(isNotChosen));
}

/** Returns all items that the next request does not contain. Items with a problem come first. */
export function allNotSelected(records: readonly ContextRecord[]): NotSelectedItems {
  return itemsOf(records.filter(({ leftOut }) => leftOut !== null));
}

function itemsOf(all: readonly ContextRecord[]): NotSelectedItems {
  // Omits VS Code's tools that the user has not added, because the tool group lists dozens of them. Also omits tools
  // that the model does not support.
  const records = all.filter(({ item, leftOut }) => item.type !== 'tool' || (leftOut?.code !== 'notAdded' && leftOut?.code !== 'noTools'));
  const byScore = records.toSorted((a, b) => rank(b) - rank(a));
  return { total: records.length, first: byScore.slice(0, MOST_LISTED_ITEMS).map(notSelectedView) };
}

/** Returns the sort key. Items with a problem get 2, because scores are at most 1. */
function rank(record: ContextRecord): number {
  return isNotChosen(record) ? (record.item.similarityScore ?? 0) : 2;
}

/** Returns items with the mode `always` that the chat lacks, for example because they are newer than the chat. */
export function newItems(records: readonly ContextRecord[]): readonly NewItem[] {
  return records
    .filter(({ item, leftOut }) => item.includeMode === 'always' && leftOut?.code === 'notAdded')
    .map(({ item }) => ({ key: itemKey(item), name: item.name }));
}

/** Returns the tools of a server that are not in a request, in the order of the server. */
export function notSelectedTools(records: readonly ContextRecord[]): NotSelectedItems {
  const out = records.filter(({ leftOut }) => leftOut !== null);
  return {
    total: out.length,
    first: out.slice(0, MOST_LISTED_ITEMS).map((record) => ({ ...notSelectedView(record), name: record.item.name })),
  };
}

function notSelectedView(record: ContextRecord): NotSelectedView {
  const { item, leftOut } = record;
  return {
    ...itemView(record, null),
    type: item.type,
    notSelectedReason: leftOut === null ? null : notSelectedBriefly(item, leftOut),
    canBeAdded: leftOut !== null && CHOSEN.has(leftOut.code) && !FIXED.has(leftOut.code),
  };
}

/** Returns an item of a request. `tokens` are those of its content in the request, or null. */
export function itemView({ item, leftOut, cut }: ContextRecord, tokens: number | null): ContextItemView {
  return {
    name: shownName(item),
    file: itemKey(item),
    includeMode: item.includeMode,
    score: item.similarityScore ?? null,
    tokens: leftOut === null ? tokens : null,
    ofTokens: cut?.ofTokens ?? null,
    notSelectedReason: leftOut === null ? null : notSelectedText(item, leftOut),
  };
}

/** Returns why a request does not contain an item. Short, for a row that already shows the item's name. */
export function notSelectedBriefly(item: RequestContextItem, reason: NotSelectedReason): string {
  switch (reason.code) {
    case 'disabled':
      return offBriefly(reason.by);
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
      return 'unknown encoding';
    case 'leadsOut':
      return 'outside the workspace';
    case 'shadowed':
      return `same text as ${reason.by}`;
    case 'overruled':
      return `replaced by ${reason.by}`;
    case 'restricted':
      return 'Restricted Mode';
    case 'serverFailed':
      return 'its server failed';
    default:
      return notSelectedText(item, reason);
  }
}

/** Returns why an item is not in a request: two words if these are enough, otherwise a sentence. */
export function notSelectedText(item: RequestContextItem, reason: NotSelectedReason): string {
  const score = item.similarityScore ?? null;
  switch (reason.code) {
    case 'notInCatalog':
      return item.type === 'tool'
        ? `${shownName(item)} is no longer available: its server was removed, or no longer has this tool.`
        : `${item.name} is no longer available: its file was deleted, or gives it another name.`;
    case 'disabled':
      return `${shownName(item)} is ${offBriefly(reason.by)}.`;
    case 'restricted':
      return `Loupe does not send ${shownName(item)} in Restricted Mode: this workspace is not trusted.`;
    case 'beingRead':
      return 'Loupe still reads the files of the workspace.';
    case 'mapFailed':
      return `Loupe could not read the files of the workspace. ${reason.text} To try again, change a setting of the map.`;
    case 'smallWindow':
      return `The map needs a context limit of at least ${counted(reason.least, 'token')}.`;
    case 'givenTextGone':
      return `Loupe cannot read the stored text of ${item.name}. ${reason.text} Add ${item.name} again.`;
    case 'noRoom':
      return 'no room';
    case 'notAdded':
      return 'not added';
    case 'removed':
      return 'excluded from this chat';
    case 'noTools':
      return 'the model takes no tools';
    case 'noFile':
      return 'applies to other files';
    case 'slowExpression':
      return 'A regular expression of the rule takes too long. Simplify "regex" in its file.';
    case 'belowScore':
      return `${scoreText(score)}below ${reason.minimum.toFixed(2)}`;
    case 'beyondMost':
      return `${score === null ? '' : scoreText(score)}not in the top ${String(reason.most)}`;
    default:
      return problemText(item.name, reason);
  }
}

/** Returns where an item is switched off. Records of earlier versions do not say where. */
function offBriefly(by: OffBy | undefined): string {
  return by === undefined ? 'switched off' : OFF[by];
}

const OFF: Readonly<Record<OffBy, string>> = {
  file: 'off in its file',
  formats: 'off, because its rule format is not selected',
  agent: 'off for the agent of the chat',
  folder: 'excluded in this folder',
  everywhere: 'never used',
};

/** Returns the beginning of a text about the score. Only items just below the limit have a score. */
function scoreText(score: number | null): string {
  return score === null ? 'score ' : `score ${score.toFixed(2)}, `;
}
