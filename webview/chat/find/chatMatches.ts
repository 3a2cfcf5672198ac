import type { ConversationElement } from '../conversation/conversation.js';
import type { EntryElement } from '../conversation/entryElement.js';
import { type FoldedMatch, foldedMatches } from './foldedText.js';
import { textRanges } from './textRanges.js';

/** A match in visible text, or in text that the user has to open first. */
export type ChatMatch = Range | FoldedMatch;

/** Maximum number of matches to look for before those below a row: those in the row. */
const MOST_IN_ROW = 100;

/** Returns the matches of `query` in the loaded part of the conversation, in order, at most `most` of them. */
export function chatMatches(conversation: ConversationElement, query: string, most: number): readonly ChatMatch[] {
  const elements = new Map([...conversation.querySelectorAll<EntryElement>('loupe-entry')].map((each) => [each.entry.id, each]));
  const found: ChatMatch[] = [];
  for (const entry of conversation.entries) {
    const element = elements.get(entry.id) ?? null;
    const folded = foldedMatches(entry, query, { turn: conversation.shownTurns.turnOf(entry.id), disclosures: conversation.disclosures });
    found.push(...inOrder(element, element === null ? [] : textRanges(element, query, most), folded));
  }
  const summary = conversation.querySelector('loupe-compaction');
  return [...found, ...(summary === null ? [] : textRanges(summary, query, most))].slice(0, most);
}

/** Puts each hidden match after the row or reasoning to open, or after the entry if that is hidden, too. */
function inOrder(element: Element | null, ranges: readonly Range[], folded: readonly FoldedMatch[]): readonly ChatMatch[] {
  const all: ChatMatch[] = [...ranges];
  for (const match of folded) {
    const part = element === null ? null : partOf(element, match);
    const next = part === null ? -1 : all.findIndex((each) => each instanceof Range && isAfter(each.startContainer, part));
    all.splice(next === -1 ? all.length : next, 0, match);
  }
  return all;
}

function isAfter(node: Node, part: Element): boolean {
  const position = part.compareDocumentPosition(node);
  return (position & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && (position & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0;
}

function partOf(element: Element, { part }: FoldedMatch): Element | null {
  return element.querySelector(`[data-part="${CSS.escape(part)}"]`);
}

/** Opens what hides a match. Returns the match in visible text, or null if the visible text is different. */
export async function unfold(conversation: ConversationElement, match: FoldedMatch, query: string): Promise<Range | null> {
  const turn = conversation.shownTurns.turnOf(match.entryId);
  if (turn?.isOpen === false) {
    conversation.toggleTurn(turn);
    await conversation.updateComplete;
  }
  const element = conversation.querySelector<EntryElement>(`loupe-entry[data-entry="${CSS.escape(match.entryId)}"]`);
  if (!match.isInRow && element?.isOpen(match.part) === false) {
    element.toggle(match.part);
  }
  await conversation.entriesRendered();
  const part = element === null ? null : partOf(element, match);
  const ranges = part === null ? [] : textRanges(part, query, match.index + MOST_IN_ROW);
  const own = ranges.filter(({ startContainer }) => (startContainer.parentElement?.closest('.step') !== null) === match.isInRow);
  return own[match.index] ?? own.at(-1) ?? null;
}
