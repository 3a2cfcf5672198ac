import type { AssistantEntry, EntryView } from '../../../src/protocol/panel/entries.js';
import { isAsking, type ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import { isStep } from '../../../src/protocol/panel/turnSteps.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import type { ShownTurn } from '../conversation/shownTurns.js';
import { groupParts, reasoningPart } from '../entries/assistantEntry.js';
import { callVerb } from '../entries/callWords.js';
import { entryPart } from '../entries/rowsToShow.js';
import { callPart } from '../entries/toolCalls.js';
import { findMatches } from './textRanges.js';

/*
 * Matches in texts that are hidden, because the user has not opened their turn, row or reasoning.
 */

export interface FoldedMatch {
  readonly entryId: string;
  /** Name of the row or reasoning with the match. */
  readonly part: string;
  /** Whether the match is in the row itself, or in what opens below it. */
  readonly isInRow: boolean;
  /** The place among the matches in the row, or among those below it. */
  readonly index: number;
}

export interface FoldedView {
  readonly turn: ShownTurn | null;
  readonly disclosures: Pick<Disclosures, 'isOpen'>;
}

/** Returns the matches in hidden texts of an entry, in order. */
export function foldedMatches(entry: EntryView, query: string, view: FoldedView): readonly FoldedMatch[] {
  if (entry.kind !== 'assistant') {
    return [];
  }
  const isClosed = view.turn?.isOpen === false && isStep(entry);
  const isOpen = (part: string): boolean => view.disclosures.isOpen(entryPart(entry.id, part));
  return groupParts(entry.parts).flatMap((group) => {
    if (group.type === 'calls') {
      return group.calls.flatMap((call, at) => {
        const part = callPart(group.index, at);
        return inCall(call, { entry, part, isRowHidden: isClosed && !isAsking(call), isOpen: isOpen(part) }, query);
      });
    }
    if (group.type !== 'written' || group.part.type !== 'reasoning') {
      return [];
    }
    const part = reasoningPart(group.index);
    const isHidden = isClosed || !isOpen(part);
    return isHidden ? matches([group.part.text], query, { entryId: entry.id, part, isInRow: false }) : [];
  });
}

interface CallRow {
  readonly entry: AssistantEntry;
  readonly part: string;
  readonly isRowHidden: boolean;
  /** Whether arguments and result are open below the row. */
  readonly isOpen: boolean;
}

/** Arguments repeat what the row says. So they are searched only if the row has no match. */
function inCall(call: ToolCallView, { entry, part, isRowHidden, isOpen }: CallRow, query: string): readonly FoldedMatch[] {
  const of = { entryId: entry.id, part };
  const inRow = matches([`${callVerb(call)} ${call.subject}`], query, { ...of, isInRow: true });
  const isBelowHidden = isRowHidden || !isOpen;
  const below = [...(inRow.length === 0 ? [call.args] : []), call.result?.text ?? ''];
  return [...(isRowHidden ? inRow : []), ...(isBelowHidden ? matches(below, query, { ...of, isInRow: false }) : [])];
}

function matches(texts: readonly string[], query: string, of: Omit<FoldedMatch, 'index'>): readonly FoldedMatch[] {
  return texts.flatMap((text) => findMatches([text], query)).map((_, index) => ({ ...of, index }));
}
