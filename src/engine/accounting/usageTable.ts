import type { PricesOf } from './itemProof.js';
import { figureValue, inputTokens } from '../model/usage.js';
import { attemptPrice, type UsedAttempt } from './usedAttempt.js';

export const USAGE_COLUMNS = ['when', 'purpose', 'chat', 'model', 'in', 'cached', 'written', 'out', 'price'] as const;
export type UsageColumn = (typeof USAGE_COLUMNS)[number];

/** The texts of an attempt in the columns for purpose, chat and model. */
export interface UsageNames {
  readonly purpose: string;
  readonly chat: string;
  readonly model: string;
}

export interface UsageTablePorts {
  readonly namesOf: (attempt: UsedAttempt) => UsageNames;
  readonly pricesOf: PricesOf;
}

/** Returns the attempts whose names or model key contain all words of a text. Ignores case. */
export function attemptsNamed(attempts: readonly UsedAttempt[], text: string, { namesOf }: UsageTablePorts): readonly UsedAttempt[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  return words.length === 0
    ? attempts
    : attempts.filter((attempt) => {
        const { purpose, chat, model } = namesOf(attempt);
        const names = `${purpose}\n${chat}\n${model}\n${attempt.model}`.toLowerCase();
        return words.every((word) => names.includes(word));
      });
}

/** Sorts by a column, then latest first. Unknown values come last in both directions. */
export function sortedAttempts(
  attempts: readonly UsedAttempt[],
  { column, isDescending }: { readonly column: UsageColumn; readonly isDescending: boolean },
  ports: UsageTablePorts,
): UsedAttempt[] {
  const sign = isDescending ? -1 : 1;
  // Looks up each value once, not at each comparison.
  const valued = attempts.map((attempt) => ({ attempt, value: valueIn(column, attempt, ports) }));
  return valued.sort((a, b) => compareValues(a.value, b.value, sign, latestFirst(a.attempt, b.attempt))).map(({ attempt }) => attempt);
}

type Value = number | string | null;

function compareValues(a: Value, b: Value, sign: number, ofEqual: number): number {
  if (a === b) {
    return ofEqual;
  }
  if (a === null || b === null) {
    return a === null ? 1 : -1;
  }
  return a < b ? -sign : sign;
}

function latestFirst({ row: a }: UsedAttempt, { row: b }: UsedAttempt): number {
  return a.at === b.at ? (a.id < b.id ? 1 : -1) : b.at - a.at;
}

function valueIn(column: UsageColumn, attempt: UsedAttempt, { namesOf, pricesOf }: UsageTablePorts): Value {
  const { usage, at } = attempt.row;
  switch (column) {
    case 'when':
      return at;
    case 'purpose':
    case 'chat':
    case 'model':
      return namesOf(attempt)[column].toLowerCase();
    case 'in':
      return usage === null ? null : inputTokens(usage);
    case 'cached':
      return figureValue(usage?.cacheReadInputTokens ?? null);
    case 'written':
      return figureValue(usage?.cacheCreationInputTokens ?? null);
    case 'out':
      return figureValue(usage?.completionTokens ?? null);
    case 'price': {
      const price = attemptPrice(attempt.row, pricesOf);
      return typeof price === 'string' ? null : price.usd;
    }
  }
}
