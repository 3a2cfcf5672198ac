import { addDollars, requestsOf } from '../chat/ledger.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { WholeChat } from '../chat/state.js';
import { figureValue, type Figure } from '../model/usage.js';
import { attemptPlaces, attemptUsage, sideUsage, type AttemptUsage } from './attemptUsage.js';
import type { PricesOf } from './itemProof.js';
import { billedFirst, savingOf, type UsageSaving } from './usageReport.js';
import { usagePart } from './usedAttempt.js';
import { sumOf, type UsageSum } from './usageSum.js';

/*
 * The usage of one chat, by turn. Each request belongs to one turn, so the sums of the turns are the usage of the chat.
 */

/** All requests of a turn, with the titles, summaries and other requests up to the next turn. */
export interface TurnRequests {
  /** Id of the user message. Null for requests of a chat without turns. */
  readonly messageId: string | null;
  /** The requests, in the order in which the log has them. */
  readonly rows: readonly AttemptUsage[];
}

/** A sum of token figures. */
export interface TokenSum {
  /** Null when no request has a figure. */
  readonly tokens: number | null;
  /** Number of requests without a figure. */
  readonly unknown: number;
}

/** A sum of US dollars. */
export interface MoneySum {
  /** How often the effect occurred. */
  readonly count: number;
  /** Null when no amount is known. */
  readonly usd: number | null;
  /** Number of unknown amounts. */
  readonly unknown: number;
}

export interface TurnTokens {
  readonly read: TokenSum;
  readonly written: TokenSum;
  readonly fresh: TokenSum;
  readonly out: TokenSum;
}

/** Tokens that a request sent again, although an earlier request had left them in the cache. */
export interface CacheLoss {
  readonly attemptId: string;
  readonly tokens: number;
  /** The extra cost in US dollars. Null when unknown, and for requests that are not billed. */
  readonly usd: number | null;
  /** `expired`: the cache expired in a pause. `summary`: a summary replaced the cached messages. */
  readonly by: 'expired' | 'summary' | 'other';
}

/** Effects that the usage of a request does not show, by attempt id. */
export interface RequestEffects {
  readonly losses: ReadonlyMap<string, CacheLoss>;
  /** The cost of the messages that summaries replaced in a request, in US dollars; null when unknown. */
  readonly savings: ReadonlyMap<string, number | null>;
}

export interface TurnUsage {
  readonly sum: UsageSum;
  readonly tokens: TurnTokens;
  readonly losses: readonly CacheLoss[];
  /** The extra cost of `losses`. */
  readonly lost: MoneySum;
  /** The part of `lost` by expired caches. */
  readonly waited: MoneySum;
  /** What earlier summaries saved in this turn. */
  readonly saved: MoneySum;
  /** The cost of summaries, and of writing content to the cache again after a summary. */
  readonly summaries: MoneySum;
}

export interface ChatTurn {
  readonly usage: TurnUsage;
  /** The number of the turn in the chat, from 1. */
  readonly number: number;
  readonly messageId: string | null;
  /** Start of the first request, in epoch milliseconds. */
  readonly at: number;
  /** Whether all replies of the turn are on discarded branches. */
  readonly isDiscarded: boolean;
  /** The request that explains the turn: the largest loss, or else the last request for a reply. Null without any. */
  readonly attemptId: string | null;
  /** The requests in the sums. */
  readonly rows: readonly AttemptUsage[];
}

export interface ChatTurns {
  readonly turns: readonly ChatTurn[];
  readonly total: TurnUsage;
  /** What the cache saved in all turns. */
  readonly saving: UsageSaving;
  /** Number of unbilled requests that no sum includes. 0 if all are unbilled, because sums then include them. */
  readonly unbilled: number;
}

/** Returns the requests of each turn, in the order of the log. Requests before the first turn belong to that turn. */
export function requestsByTurn(state: WholeChat): readonly TurnRequests[] {
  const turns = new Map<string | null, AttemptUsage[]>();
  const places = attemptPlaces(state);
  const sides = [...state.sideRequests.values()].map(sideUsage).toSorted((a, b) => a.at - b.at);
  const early: AttemptUsage[] = [];
  let latest = early;
  const addSidesBefore = (at: number): void => {
    while ((sides[0]?.at ?? Infinity) < at) {
      latest.push(...sides.splice(0, 1));
    }
  };
  for (const attempt of state.attempts.values()) {
    const row = attemptUsage(attempt, places);
    if (row === null) {
      continue;
    }
    addSidesBefore(row.at);
    const messageId = repliedMessage(attempt, state);
    if (messageId !== null) {
      // The first turn takes the requests before it. Later turns begin empty.
      latest = turns.get(messageId) ?? early.splice(0);
      turns.set(messageId, latest);
    }
    latest.push(row);
  }
  addSidesBefore(Infinity);
  if (turns.size === 0 && early.length > 0) {
    turns.set(null, early);
  }
  return [...turns].map(([messageId, rows]) => ({ messageId, rows }));
}

/** Returns the id of the user message that an attempt replies to. Null for titles, summaries and damaged runs. */
function repliedMessage({ runId, purpose }: AttemptState, { runs }: Pick<WholeChat, 'runs'>): string | null {
  return purpose === 'reply' && runId !== null ? (runs.get(runId)?.userMessageId ?? null) : null;
}

/** Sums the requests of each turn. As in all sums of usage, unbilled requests count only if no request is billed. */
export function chatTurns(all: readonly TurnRequests[], effects: RequestEffects, pricesOf: PricesOf): ChatTurns {
  const rows = all.flatMap((turn) => turn.rows.map((row) => ({ row })));
  const counted = billedFirst(rows);
  const isCounted = new Set(counted.map(({ row }) => row.id));
  const turns = all.map((turn, at): ChatTurn => {
    const own = turn.rows.filter(({ id }) => isCounted.has(id));
    const usage = usageOf(own, effects, pricesOf);
    const replies = turn.rows.filter(({ purpose }) => purpose === 'reply');
    return {
      usage,
      number: at + 1,
      messageId: turn.messageId,
      at: turn.rows[0]?.at ?? 0,
      isDiscarded: replies.length > 0 && replies.every(({ isDiscarded }) => isDiscarded),
      attemptId: largest(usage.losses)?.attemptId ?? replies.at(-1)?.id ?? null,
      rows: own,
    };
  });
  return {
    turns,
    total: usageOf(
      counted.map(({ row }) => row),
      effects,
      pricesOf,
    ),
    saving: savingOf(counted, pricesOf),
    unbilled: requestsIn(rows) - requestsIn(counted),
  };
}

function requestsIn(rows: readonly { readonly row: AttemptUsage }[]): number {
  return rows.reduce((sum, { row }) => sum + requestsOf(row), 0);
}

function largest(losses: readonly CacheLoss[]): CacheLoss | undefined {
  return losses.toSorted((a, b) => b.tokens - a.tokens)[0];
}

/** Returns the usage of some requests. */
export function usageOf(rows: readonly AttemptUsage[], { losses, savings }: RequestEffects, pricesOf: PricesOf): TurnUsage {
  const lost = losses.size === 0 ? [] : rows.flatMap(({ id }) => losses.get(id) ?? []);
  const summaries = rows.filter((row) => usagePart(row) === 'summary' && !row.isUnbilled);
  const rewritten = lost.filter(({ by }) => by === 'summary');
  return {
    sum: sumOf(
      rows.map((row) => ({ row })),
      pricesOf,
    ),
    tokens: {
      read: tokensOf(rows, 'cacheReadInputTokens'),
      written: tokensOf(rows, 'cacheCreationInputTokens'),
      fresh: tokensOf(rows, 'promptTokens'),
      out: tokensOf(rows, 'completionTokens'),
    },
    losses: lost,
    lost: moneyOf(lost.map(({ usd }) => usd)),
    waited: moneyOf(lost.filter(({ by }) => by === 'expired').map(({ usd }) => usd)),
    saved: moneyOf(savings.size === 0 ? [] : rows.flatMap(({ id }) => (savings.has(id) ? [savings.get(id) ?? null] : []))),
    summaries: moneyOf([...summaries.map(({ cost }) => cost?.usd ?? null), ...rewritten.map(({ usd }) => usd)]),
  };
}

type FigureName = 'promptTokens' | 'cacheReadInputTokens' | 'cacheCreationInputTokens' | 'completionTokens';

function tokensOf(rows: readonly AttemptUsage[], name: FigureName): TokenSum {
  let tokens: number | null = null;
  let unknown = 0;
  for (const row of rows) {
    const figure: Figure | null = row.usage?.[name] ?? null;
    const value = figureValue(figure);
    tokens = value === null ? tokens : (tokens ?? 0) + value;
    unknown += value === null ? requestsOf(row) : 0;
  }
  return { tokens, unknown };
}

const NO_MONEY: MoneySum = { count: 0, usd: null, unknown: 0 };

function moneyOf(amounts: readonly (number | null)[]): MoneySum {
  // Most turns have no such effect, and a long chat has thousands of turns.
  if (amounts.length === 0) {
    return NO_MONEY;
  }
  const known = amounts.filter((usd) => usd !== null);
  const usd = known.reduce<number | null>((sum, each) => addDollars(sum ?? 0, each), null);
  return { count: amounts.length, usd, unknown: amounts.length - known.length };
}
