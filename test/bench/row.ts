import type { Sample } from './race.js';

/** One line of what Loupe promises about its speed. */
export interface Row {
  /** For `--row`. */
  readonly name: string;
  readonly job: string;
  measure(): Promise<RowResult>;
}

export interface RowResult {
  readonly samples: readonly Sample[];
  /** What the samples process, for a rate in the table: MB, characters; null where a rate says nothing. */
  readonly amount: { readonly value: number; readonly unit: string } | null;
  readonly verdicts: readonly Verdict[];
  /** Figures of many contestants beside each other. */
  readonly figures?: FigureTable;
}

export interface FigureTable {
  readonly title: string;
  readonly columns: readonly string[];
  /** Figures for the columns, or for the first of them. */
  readonly rows: readonly { readonly name: string; readonly figures: readonly number[] }[];
}

/** A ratio and what it should be. */
export interface Verdict {
  readonly what: string;
  readonly measured: number;
  readonly target: { readonly atLeast: number } | { readonly atMost: number };
}

export function isMet({ measured, target }: Verdict): boolean {
  return 'atLeast' in target ? measured >= target.atLeast : measured <= target.atMost;
}
