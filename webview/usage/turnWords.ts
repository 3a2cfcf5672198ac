import type { MoneySum, TokenSum, TurnColumn, TurnRow, UsageTurns } from '../../src/protocol/usage/turns.js';
import { counted, countedAs, markedPrice, price, tokens } from '../shared/numbers.js';
import { priceOfSum, saved, spent, usedTokens, type VerdictPiece } from './usageWords.js';

/** Describes in one line the cost of all turns and the saving by the cache. */
export function turnsVerdict({ sum, saving, count }: UsageTurns): readonly VerdictPiece[] {
  const when = `in ${counted(count, 'turn')}`;
  return sum.usd === null ? usedTokens(sum, when) : [...spent(sum, when), ...saved(sum, saving.usd)];
}

/** Formats a sum of tokens. `unknown` if no request has a figure, and `≥` if only some have one. */
export function tokensInWords({ tokens: sum, unknown }: TokenSum): string {
  if (sum === null) {
    return unknown > 0 ? 'unknown' : 'none';
  }
  return `${unknown > 0 ? '≥ ' : ''}${tokens(sum)}`;
}

/** Formats a sum of money. Null without any known amount. */
function moneyInWords({ usd, unknown }: MoneySum): string | null {
  if (usd === null) {
    return null;
  }
  // A negative sum with unknown parts is no lower bound of what is lost.
  return unknown > 0 && usd >= 0 ? markedPrice('≥', price(usd)) : usd < 0 ? `−${price(-usd)}` : price(usd);
}

export interface TurnsFact {
  readonly name: string;
  readonly text: string;
  /** Explains how Loupe computed the fact. */
  readonly help: string;
}

/** What the cache, pauses and summaries changed in the cost of the chat. */
export function turnsFacts(turns: UsageTurns): readonly TurnsFact[] {
  const { lost, lostTokens, waited, saved: savings, summaries } = turns;
  return [
    {
      name: 'Cache broke',
      text:
        lost.count === 0
          ? 'never'
          : `${countedAs(lost.count, 'time', 'times')}, ${counted(lostTokens, 'token')} sent again${more(moneyInWords(lost))}`,
      help: 'Tokens that an earlier request left in the cache, but that a request did not read from it.',
    },
    {
      name: 'Waiting',
      text:
        waited.count === 0
          ? 'no cache expired'
          : `${countedAs(waited.count, 'cache', 'caches')} expired in a pause${more(moneyInWords(waited))}`,
      help: 'The part of the cost above that is due to caches that expired before the next request.',
    },
    {
      name: 'Summaries',
      text: [usedSummaries(turns), ...effectOf(moneyInWords(savings), moneyInWords(summaries))].join(', '),
      help: 'Saved: the price of the replaced messages in all later requests, an estimate. Cost: the summaries, and writing the rest to the cache again.',
    },
  ];
}

/** A summary that was undone or replaced before the next request was paid for, but not used. */
function usedSummaries({ summaryCount, summaries }: Pick<UsageTurns, 'summaryCount' | 'summaries'>): string {
  return summaryCount > 0 ? String(summaryCount) : summaries.count > 0 ? 'none used' : 'none';
}

function more(money: string | null): string {
  return money === null ? '' : `, ${money} more`;
}

function effectOf(savings: string | null, cost: string | null): readonly string[] {
  return [...(savings === null ? [] : [`saved about ${savings}`]), ...(cost === null ? [] : [`cost ${cost}`])];
}

/** Names the turns of a column: `Turn 12`, `Turns 1 to 250`. */
export function columnName({ from, to }: Pick<TurnColumn, 'from' | 'to'>): string {
  return from === to ? `Turn ${tokens(from)}` : `Turns ${tokens(from)} to ${tokens(to)}`;
}

/** Returns what a screen reader says for a column. */
export function columnInWords(column: TurnColumn): string {
  const { tokens: all, sum, lost, summaries } = column;
  return [
    columnName(column),
    `${tokensInWords(all.read)} read, ${tokensInWords(all.written)} written, ${tokensInWords(all.fresh)} uncached`,
    priceOfSum(sum),
    ...(lost.count === 0 ? [] : [`the cache broke ${countedAs(lost.count, 'time', 'times')}`]),
    ...(summaries === 0 ? [] : ['with a summary']),
  ].join(', ');
}

/** Returns why the cache broke in a turn, with the extra cost: the largest loss, and how many others. Null for none. */
export function lossesInWords({ losses, lost }: TurnRow): string | null {
  const [first] = losses;
  if (first === undefined) {
    return null;
  }
  const others = losses.length === 1 ? '' : ` ${countedAs(losses.length - 1, 'other request', 'other requests')} too.`;
  const money = moneyInWords(lost);
  return `${first.reason}${others}${money === null ? '' : ` ${money} more.`}`;
}
