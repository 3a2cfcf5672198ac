import { betweenPoints } from '../chat/message/textBegin.js';
import { listedText, toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { History, WeighedMessage } from './history.js';
import { summaryBudget } from './summaryBudget.js';

/* Lists the messages that a summary up to a cut would replace, before the summary is written. */

/** Number of rows to show before the cut. */
const ROWS_BEFORE = 4;
/** Number of rows to show after the cut. */
const ROWS_BEHIND = 2;

const ROW_CHARACTERS = 120;

export interface OutlineRow {
  readonly id: string;
  readonly role: SentMessage['role'];
  /** The beginning of the message, in one line. */
  readonly text: string;
  readonly tokens: number;
  readonly isPinned: boolean;
  /** Whether the summary replaces the message. */
  readonly isReplaced: boolean;
  /** Whether the message ends a turn, so that the user can place the cut after it. */
  readonly endsTurn: boolean;
}

/** Maximum number of rows shown of an open fold: the rows nearest to the cut. */
const MOST_FOLDED_ROWS = 200;

export type FoldedPart = 'earlier' | 'later';

/** A group of messages that is hidden while the fold is closed. */
export interface OutlineFold {
  readonly messages: number;
  readonly tokens: number;
  /** The rows nearest to the cut, in order. Null while the fold is closed. */
  readonly rows: readonly OutlineRow[] | null;
}

export interface Outline {
  /** Id of the last message before the cut. */
  readonly upTo: string;
  /** Number of messages that the summary replaces. */
  readonly messages: number;
  readonly of: number;
  /** Tokens of the replaced messages and of the earlier summary. */
  readonly tokens: number;
  /** Tokens of the messages that the summary does not replace. */
  readonly staying: number;
  /** Tokens of the earlier summary, which the new summary replaces. Null without an earlier summary. */
  readonly earlierSummary: number | null;
  /** Maximum number of tokens of the new summary. */
  readonly summaryTokens: number;
  readonly rows: readonly OutlineRow[];
  readonly earlier: OutlineFold;
  readonly later: OutlineFold;
  /** Value of `upTo` for a summary that replaces one turn less. Null when the cut cannot be earlier. */
  readonly shorter: string | null;
  /** Value of `upTo` for a summary that replaces one turn more. Null when the cut cannot be later. */
  readonly longer: string | null;
}

export interface OutlineInput extends Pick<Outline, 'earlierSummary'> {
  /** Ids of the pinned messages, which no summary replaces. */
  readonly pinned: ReadonlySet<string>;
  readonly mostSummaryTokens: number;
  readonly opened: ReadonlySet<FoldedPart>;
}

/** Returns the outline of a summary of the first `cut` messages (at least one), except pinned messages. */
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

/** Returns the last cut between turns at or before `place`, or else the first cut between turns. */
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
