import type { Remark } from '../../../engine/context/catalogItem.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { CatalogType } from '../../../engine/record/item.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import type { NextRequestRows } from '../../../protocol/panel/requestRows.js';
import { allNotSelected } from '../../request/excluded/notSelectedItems.js';
import { blockViews } from '../../../engine/next/blockViews.js';
import { contextSummary } from './contextUsed.js';

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
