import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { type CatalogType, itemKey, type RequestContextItem } from '../../../engine/record/item.js';
import type { ContextRecord, ManifestBlock, SelectionRecord } from '../../../engine/record/manifest.js';
import { HELD_TYPES } from '../../../engine/accounting/requestHeld.js';
import { contextKey, isPick } from '../../../engine/request/gather.js';
import { contextRecordsOf, manifestContentOf } from '../../../engine/request/rebuild.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { reportedInput } from '../../../engine/tokens/calibration.js';
import { counted } from '../../../protocol/numbers.js';
import {
  type ContextGroup,
  type ContextRows,
  HELD_MODES,
  heldMode,
  type HeldMode,
  type NextRequestRows,
  type PicksView,
} from '../../../protocol/panel/requestRows.js';
import type { ContextUsed } from '../../../protocol/panel/entries.js';
import { blockViews } from '../../../engine/next/blockViews.js';
import { forgottenCalls } from './omittedContent.js';
import { isNotChosen, itemView, notSelectedItems, allNotSelected } from '../../request/excluded/notSelectedItems.js';
import { droppedSentences, adaptationSentences } from '../../request/sizeTexts.js';
import type { Remark } from '../../../engine/context/catalogItem.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';

/** Returns a summary of a past request's context; null when the record of the request is damaged. */
export function contextUsed(attempt: AttemptState, state: ChatState): ContextUsed | null {
  const records = contextRecordsOf(attempt, state.attempts);
  if (records === null) {
    return null;
  }
  const { usage } = attempt.end ?? { usage: null };
  const reported = usage === null ? null : reportedInput(usage);
  const { tokens, basis } = reported === null ? attempt.manifest.size : ({ tokens: reported, basis: 'providerCount' } as const);
  const held = records.flatMap(({ item, leftOut }) => (leftOut === null ? [item] : []));
  return { summary: [contextSummary(held), ...noRoomSummary(records)].join(', '), totalTokens: tokens, basis };
}

/** Describes items without room: `1 file cut to fit`, `2 items dropped: no room`. */
function noRoomSummary(records: readonly ContextRecord[]): string[] {
  const cut = records.filter((record) => record.cut !== undefined).length;
  const out = records.filter(({ leftOut }) => leftOut?.code === 'noRoom').length;
  return [...(cut === 0 ? [] : [`${counted(cut, 'file')} cut to fit`]), ...(out === 0 ? [] : [`${counted(out, 'item')} dropped: no room`])];
}

/** Returns the context of a past request, item by item; null when the record of the request is damaged. */
export function contextRows(attempt: AttemptState, state: ChatState): Omit<ContextRows, 'window' | 'uncached'> | null {
  const content = manifestContentOf(attempt, state.attempts);
  if (content === null) {
    return null;
  }
  const { blocks, context: records, forgotten } = content;
  const { manifest, model } = attempt;
  const { size, adaptations, picks } = manifest;
  const rows = blockViews(blocks, records, NOTHING_LOADED, null);
  return {
    groups: groups(
      records.filter((record) => !isNotChosen(record)),
      tokensByItem(blocks),
    ),
    notSelected: notSelectedItems(records),
    forgotten: forgottenCalls(forgotten, state),
    picks: picks === undefined ? null : picksView(picks),
    blocks: rows,
    framingTokens: Math.max(0, size.counted - sumTokens(rows)),
    adaptations: adaptationSentences(adaptations, model.model),
    warnings: droppedSentences(records),
  };
}

function picksView(picks: SelectionRecord): PicksView {
  return picks.by === 'meaning'
    ? { text: `Loupe picked items by words and meaning, and sent ${counted(picks.texts, 'text')} to ${picks.model}.`, hasFailed: false }
    : { text: `Loupe picked items only by words. ${picks.failure.message}`, hasFailed: true };
}

/** Returns the tokens of all blocks per item, except items picked for an earlier message. */
function tokensByItem(blocks: readonly ManifestBlock[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const block of blocks.filter(({ item, form }) => form !== 'carried' || item === null || !isPick(item))) {
    const key = block.item === null ? block.key : contextKey(block.item);
    counted.set(key, (counted.get(key) ?? 0) + block.tokens);
  }
  return counted;
}

/** Groups by type; items that were not selected come last. */
function groups(records: readonly ContextRecord[], tokens: ReadonlyMap<string, number>): ContextGroup[] {
  const sorted = [...records.filter(({ leftOut }) => leftOut === null), ...records.filter(({ leftOut }) => leftOut !== null)];
  return HELD_TYPES.flatMap((type) => {
    const items = sorted.filter(({ item }) => item.type === type);
    return items.length === 0 ? [] : [{ type, items: items.map((record) => itemView(record, tokens.get(itemKey(record.item)) ?? null)) }];
  });
}

/**
 * Returns `2 files, added by you`, or with other items `5 rules (3 agent, 2 always), 1 file (manual), 3 tools (all
 * manual), repository map`.
 */
export function contextSummary(items: readonly RequestContextItem[]): string {
  if (items.length > 0 && items.every(({ type, includeMode }) => type === 'file' && includeMode === 'manual')) {
    return `${counted(items.length, 'file')}, added by you`;
  }
  const parts = HELD_TYPES.flatMap((type) => {
    const modes = items.filter((item) => item.type === type).map((item) => heldMode(item.includeMode, item.similarityScore ?? null));
    return modes.length === 0
      ? []
      : type === 'repository'
        ? ['repository map']
        : [`${counted(modes.length, type)} (${modeSummary(modes)})`];
  });
  return parts.length === 0 ? 'No files' : parts.join(', ');
}

/** The record of a past request does not separate the definition of a loaded tool from the result that loaded it. */
const NOTHING_LOADED: ReadonlyMap<string, number> = new Map();

function modeSummary(modes: readonly HeldMode[]): string {
  const counted = (['agent', 'forFiles', 'always', 'manual', 'onDemand'] as const)
    .map((mode) => ({ mode: HELD_MODES[mode], count: modes.filter((candidate) => candidate === mode).length }))
    .filter(({ count }) => count > 0);
  const [only] = counted;
  if (counted.length === 1 && only !== undefined) {
    return modes.length === 1 ? only.mode : `all ${only.mode}`;
  }
  return counted.map(({ mode, count }) => `${String(count)} ${mode}`).join(', ');
}

/** Maximum number of visible remarks. */
const MOST_REMARKS = 5;

export function nextRequestRows({
  prompt,
  records,
  context,
  onDemand,
  forecast,
}: ComposedRequest): Omit<NextRequestRows, 'servers' | 'changes' | 'excludedTurns' | 'forgotten' | 'repeats'> {
  return {
    summary: contextSummary(records.flatMap(({ item, leftOut }) => (leftOut === null ? [item] : []))),
    blocks: blockViews(promptBlocks(prompt), records, onDemand.loaded, forecast),
    notSelected: allNotSelected(records),
    available: {
      rule: available(records, 'rule'),
      reference: available(records, 'reference'),
      skill: available(records, 'skill'),
      tool: available(records, 'tool'),
    },
    remarks: firstRemarks(context.remarks),
  };
}

/** Returns the first remarks. If others are hidden, the last remark begins with a text such as `And 3 more.`. */
function firstRemarks(all: readonly Remark[]): readonly Remark[] {
  const next = all[MOST_REMARKS];
  const rest = all.length - MOST_REMARKS;
  const more = next === undefined ? [] : [{ ...next, text: `${rest === 1 ? '' : `${String(rest)} more problems, such as: `}${next.text}` }];
  return [...all.slice(0, MOST_REMARKS), ...more];
}

/** Returns the number of items of a type. Every item has one record, whether or not it is in the request. */
function available(records: readonly ContextRecord[], type: CatalogType): number {
  return records.filter(({ item }) => item.type === type).length;
}
