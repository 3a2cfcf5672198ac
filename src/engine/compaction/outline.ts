import { betweenPoints } from '../chat/message/textBegin.js';
import { listedText, toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { History, WeighedMessage } from './history.js';
import { summaryBudget } from './summaryBudget.js';

/* Shows what a summary up to a place would replace, before it is written. */

/** Rows before and after the place. */
const ROWS_BEFORE = 4;
const ROWS_BEHIND = 2;

/** Characters of a message in a row: more than fits. */
const ROW_CHARACTERS = 120;

export interface OutlineRow {
  readonly id: string;
  readonly role: SentMessage['role'];
  /** The beginning of its text, in one line. */
  readonly text: string;
  readonly tokens: number;
  readonly isPinned: boolean;
  /** Whether the summary replaces it. */
  readonly isReplaced: boolean;
  /** Whether it ends a turn, so that a place may come after it. */
  readonly endsTurn: boolean;
}

/** Most rows of an open fold, those nearest to the place. */
const MOST_FOLDED_ROWS = 200;

export type FoldedPart = 'earlier' | 'later';

/** Messages that are hidden while the fold is closed. */
export interface OutlineFold {
  readonly messages: number;
  readonly tokens: number;
  /** The rows nearest to the place, in their order; null while closed. */
  readonly rows: readonly OutlineRow[] | null;
}

export interface Outline {
  /** Id of the last message before the place. */
  readonly upTo: string;
  /** Replaced messages (of all), replaced tokens with the earlier summary, and tokens of the messages that stay. */
  readonly messages: number;
  readonly of: number;
  readonly tokens: number;
  readonly staying: number;
  /** Tokens of the earlier summary, which the new one also replaces; null without one. */
  readonly earlierSummary: number | null;
  /** Most tokens of the summary. */
  readonly summaryTokens: number;
  readonly rows: readonly OutlineRow[];
  readonly earlier: OutlineFold;
  readonly later: OutlineFold;
  /** Values of `upTo` for one turn less and one turn more; null when there is none. */
  readonly shorter: string | null;
  readonly longer: string | null;
}

export interface OutlineInput extends Pick<Outline, 'earlierSummary'> {
  /** Ids of the messages that stay at any place. */
  readonly pinned: ReadonlySet<string>;
  readonly mostSummaryTokens: number;
  readonly opened: ReadonlySet<FoldedPart>;
}

/** Returns the outline of a summary of the first `cut` messages (at least one), without pinned ones. */
export function outline(history: History, cut: number, { pinned, mostSummaryTokens, earlierSummary, opened }: OutlineInput): Outline {
  const { messages, tokensBefore, freedBefore, removedBefore } = history;
  const { length } = messages;
  const [begin, end] = [Math.max(0, cut - ROWS_BEFORE), Math.min(length, cut + ROWS_BEHIND)];
  const freed = freedBefore[cut] ?? 0;
  const tokens = freed + (earlierSummary ?? 0);
  const cuts = cutsBetweenTurns(history);
  const ends = new Set(cuts);
  const all = tokensBefore[length] ?? 0;
  const idBefore = (place: number | undefined): string | null => messages[(place ?? 0) - 1]?.message.id ?? null;
  const rowsOf = (from: number, to: number): readonly OutlineRow[] =>
    messages.slice(from, to).map((each, index) => {
      const place = from + index;
      const isReplaced = place < cut && (removedBefore[place + 1] ?? 0) > (removedBefore[place] ?? 0);
      return { ...row(each), isPinned: pinned.has(each.message.id), isReplaced, endsTurn: ends.has(place + 1) };
    });
  return {
    upTo: idBefore(cut) ?? '',
    messages: removedBefore[cut] ?? 0,
    of: length,
    tokens,
    staying: all - freed,
    earlierSummary,
    summaryTokens: Math.min(summaryBudget(tokens), mostSummaryTokens),
    rows: rowsOf(begin, end),
    earlier: {
      messages: begin,
      tokens: tokensBefore[begin] ?? 0,
      rows: opened.has('earlier') ? rowsOf(Math.max(0, begin - MOST_FOLDED_ROWS), begin) : null,
    },
    later: {
      messages: length - end,
      tokens: all - (tokensBefore[end] ?? 0),
      rows: opened.has('later') ? rowsOf(end, end + MOST_FOLDED_ROWS) : null,
    },
    shorter: idBefore(cuts.findLast((place) => place < cut)),
    longer: idBefore(cuts.find((place) => place > cut)),
  };
}

/** Returns the last cut at or before `place` that splits no turn, or else the first one. */
export function cutBetweenTurns(history: History, place: number): number {
  const cuts = cutsBetweenTurns(history);
  return cuts.findLast((cut) => cut <= place) ?? cuts[0] ?? place;
}

function cutsBetweenTurns({ turns, messages: { length } }: History): readonly number[] {
  return [...turns.filter((place) => place > 0), length];
}

function row({ message, tokens }: WeighedMessage): Pick<OutlineRow, 'id' | 'role' | 'text' | 'tokens'> {
  const text = textOf(message).replaceAll(/\s+/g, ' ').trim();
  return { id: message.id, role: message.role, text: text.slice(0, betweenPoints(text, ROW_CHARACTERS)), tokens };
}

function textOf(message: SentMessage): string {
  if (message.role === 'tool-results') {
    return message.parts.map(({ name }) => name).join(', ');
  }
  const text = listedText(message);
  return text === '' && message.role === 'assistant'
    ? toolCallsOf(message)
        .map(({ name }) => name)
        .join(', ')
    : text;
}
