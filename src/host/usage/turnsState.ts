import { usageOf, type ChatTurn } from '../../engine/accounting/chatTurns.js';
import type { PricesOf } from '../../engine/accounting/itemProof.js';
import type { LocalTime } from '../../engine/accounting/usedAttempt.js';
import { MOST_COLUMNS, type TurnColumn, type TurnRow, type UsageTurns } from '../../protocol/usage/turns.js';
import type { UsageQuery } from '../../protocol/usage/usage.js';
import type { ReadTurns } from './chatTurnsReader.js';

interface TurnsPorts {
  readonly pricesOf: PricesOf;
  readonly localTime: LocalTime;
}

/** Returns the turns as the view shows them: columns for the chart, and the rows that the query selects. */
export function usageTurns(query: UsageQuery, read: ReadTurns, ports: TurnsPorts): UsageTurns {
  const columns = turnColumns(read, ports.pricesOf);
  const column = columns.find(({ from }) => from === query.turn);
  const matching = read.turns.filter(
    ({ number, usage: { lost } }) =>
      (column === undefined || (number >= column.from && number <= column.to)) && (!query.onlyLosses || lost.count > 0),
  );
  const { sum, tokens, lost, waited, summaries, saved, losses } = read.total;
  return {
    chatId: read.chatId,
    count: read.turns.length,
    ...{ sum, tokens, lost, waited, summaries, saved },
    saving: read.saving,
    lostTokens: losses.reduce((again, loss) => again + loss.tokens, 0),
    summaryCount: read.summaries,
    unbilled: read.unbilled,
    columns,
    matching: matching.length,
    rows: matching
      .toReversed()
      .slice(0, query.most)
      .map((turn) => turnRow(turn, read, ports)),
  };
}

/** Returns the columns of the chart: one for each turn, or for several turns of a long chat. */
function turnColumns({ turns, effects }: ReadTurns, pricesOf: PricesOf): readonly TurnColumn[] {
  const size = Math.max(1, Math.ceil(turns.length / MOST_COLUMNS));
  return Array.from({ length: Math.ceil(turns.length / size) }, (_, at) => {
    const inColumn = turns.slice(at * size, (at + 1) * size);
    const { sum, tokens, lost, summaries } = usageOf(
      inColumn.flatMap(({ rows }) => rows),
      effects,
      pricesOf,
    );
    return { from: at * size + 1, to: at * size + inColumn.length, sum, tokens, lost, summaries: summaries.count };
  });
}

function turnRow(turn: ChatTurn, { messages, reasons }: ReadTurns, { localTime }: TurnsPorts): TurnRow {
  const { number, at, messageId, isDiscarded, attemptId, usage } = turn;
  const { sum, tokens, lost, losses } = usage;
  return {
    number,
    local: localTime(at),
    // A message on a damaged line of the log has no text.
    message: messageId === null ? null : (messages.get(messageId) ?? ''),
    isDiscarded,
    attemptId,
    ...{ sum, tokens, lost },
    losses: losses
      .toSorted((a, b) => b.tokens - a.tokens)
      .map(({ attemptId: id, usd, by }) => ({ attemptId: id, usd, by, reason: reasons.get(id) ?? '' })),
  };
}
