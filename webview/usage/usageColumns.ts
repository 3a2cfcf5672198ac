import type { UsageTableRow } from '../../src/protocol/usage.js';
import { columnPrice, counted, tokens } from '../shared/numbers.js';

export interface UsageColumn {
  readonly name: string;
  /** By which its style names it. */
  readonly key: 'requests' | 'fresh' | 'cached' | 'written' | 'out' | 'cost';
  readonly text: (row: UsageTableRow) => string;
}

function countColumn(
  key: UsageColumn['key'],
  name: string,
  count: (row: UsageTableRow) => number,
): UsageColumn & { readonly count: typeof count } {
  return { key, name, count, text: (row) => tokens(count(row)) };
}

const COUNTS = [
  countColumn('requests', 'Requests', ({ requests }) => requests),
  countColumn('fresh', 'Fresh', ({ freshTokens }) => freshTokens),
  countColumn('cached', 'Cached', ({ readTokens }) => readTokens),
  countColumn('written', 'Written', ({ writtenTokens }) => writtenTokens),
  countColumn('out', 'Out', ({ outputTokens }) => outputTokens),
];

const COST: UsageColumn = { key: 'cost', name: 'Cost', text: cost };

/** The columns that have something to say: one that is 0 throughout leaves its room to the titles. */
export function usageColumns(total: UsageTableRow): readonly UsageColumn[] {
  return [...COUNTS.filter(({ count }) => count(total) > 0), COST];
}

/** A dash where nobody billed anything. */
function cost({ cost: dollars, unknownRequests }: UsageTableRow): string {
  if (dollars === null) {
    return isUnbilled({ cost: dollars, unknownRequests }) ? '–' : 'unknown';
  }
  return columnPrice(dollars, unknownRequests > 0);
}

function isUnbilled({ cost: dollars, unknownRequests }: Pick<UsageTableRow, 'cost' | 'unknownRequests'>): boolean {
  return dollars === null && unknownRequests === 0;
}

/** What the figures leave open, a sentence each. */
export function usageNotes(chats: readonly UsageTableRow[], { unknownRequests: unknown }: UsageTableRow): readonly string[] {
  return [
    ...(unknown === 0
      ? []
      : [`The cost is at least this: ${counted(unknown, 'request')} reported no usage or ${unknown === 1 ? 'has' : 'have'} no price.`]),
    ...(unknown === 0 ? [] : ['Sums include estimates where the provider reported less than all.']),
    ...(chats.some(isUnbilled) ? ['– means that nobody billed it. The practice model bills nobody.'] : []),
  ];
}
