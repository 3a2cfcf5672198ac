import { betweenPoints } from '../chat/message/textBegin.js';
import { listedText, toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { History, WeighedMessage } from './history.js';
import { summaryBudget } from './summaryBudget.js';

/*
 * What a summary up to a place would replace, for a look at it before it is written.
 */

/** Rows before the place and behind it: enough to see what is about to go and what stays. */
const ROWS_BEFORE = 4;
const ROWS_BEHIND = 2;

/** Characters of a message in a row: more than fits into one. */
const ROW_CHARACTERS = 120;

export interface OutlineRow {
  readonly id: string;
  readonly role: SentMessage['role'];
  /** The beginning of its text, in one line. */
  readonly text: string;
  readonly tokens: number;
  readonly isPinned: boolean;
  /** Whether the summary replaces it. */
  readonly goes: boolean;
  /** Whether a place may be behind it: it is the last of its exchange. */
  readonly endsExchange: boolean;
}

/** Rows of an opened fold, the nearest to the place: more than anyone reads one by one. */
const MOST_FOLDED_ROWS = 200;

/** The messages before the rows, and behind them. */
export type FoldedPart = 'earlier' | 'later';

/** Messages that have no rows while it is closed. */
export interface OutlineFold {
  readonly messages: number;
  readonly tokens: number;
  /** Those nearest to the place, in their order; null while it is closed. */
  readonly rows: readonly OutlineRow[] | null;
}

export interface Outline {
  /** Id of the last message before the place. */
  readonly upTo: string;
  /** Messages that go, of all, and the tokens of what goes, with the earlier summary, and of the messages that stay. */
  readonly messages: number;
  readonly of: number;
  readonly tokens: number;
  readonly staying: number;
  /** Tokens of the summary before, for which the new one stands, too; null without one. */
  readonly earlierSummary: number | null;
  /** Most tokens of the summary. */
  readonly summaryTokens: number;
  readonly rows: readonly OutlineRow[];
  /** The messages before the rows and behind them. */
  readonly earlier: OutlineFold;
  readonly later: OutlineFold;
  /** What `upTo` is one exchange earlier and one later; null where there is none. */
  readonly shorter: string | null;
  readonly longer: string | null;
}

export interface OutlineOf extends Pick<Outline, 'earlierSummary'> {
  /** Ids of the messages that stay wherever the place is. */
  readonly pinned: ReadonlySet<string>;
  readonly mostSummaryTokens: number;
  readonly opened: ReadonlySet<FoldedPart>;
}

/** The outline of a summary that replaces the first `cut` messages, which are not none, but for pinned ones. */
export function outline(history: History, cut: number, { pinned, mostSummaryTokens, earlierSummary, opened }: OutlineOf): Outline {
  const { messages, tokensBefore, freedBefore, removedBefore } = history;
  const { length } = messages;
  const [begin, end] = [Math.max(0, cut - ROWS_BEFORE), Math.min(length, cut + ROWS_BEHIND)];
  const freed = freedBefore[cut] ?? 0;
  const tokens = freed + (earlierSummary ?? 0);
  const cuts = cutsBetweenExchanges(history);
  const ends = new Set(cuts);
  const all = tokensBefore[length] ?? 0;
  const idBefore = (place: number | undefined): string | null => messages[(place ?? 0) - 1]?.message.id ?? null;
  const rowsOf = (from: number, to: number): readonly OutlineRow[] =>
    messages.slice(from, to).map((each, index) => {
      const place = from + index;
      const goes = place < cut && (removedBefore[place + 1] ?? 0) > (removedBefore[place] ?? 0);
      return { ...row(each), isPinned: pinned.has(each.message.id), goes, endsExchange: ends.has(place + 1) };
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

/** The last cut at `place` or before it that separates no exchange; the first one when there is none. */
export function cutBetweenExchanges(history: History, place: number): number {
  const cuts = cutsBetweenExchanges(history);
  return cuts.findLast((cut) => cut <= place) ?? cuts[0] ?? place;
}

function cutsBetweenExchanges({ exchanges, messages: { length } }: History): readonly number[] {
  return [...exchanges.filter((place) => place > 0), length];
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
