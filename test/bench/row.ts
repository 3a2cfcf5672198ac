import type { Sample } from './race.js';

export interface Row {
  /** For `--row`. */
  readonly name: string;
  readonly job: string;
  measure(): Promise<RowResult>;
}

export interface RowResult {
  readonly samples: readonly Sample[];
  /** The processed amount for a rate in the table, or null. */
  readonly amount: { readonly value: number; readonly unit: string } | null;
  readonly verdicts: readonly Verdict[];
  readonly figures?: FigureTable;
}

export interface FigureTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly figures: readonly number[] }[];
}

export interface Verdict {
  readonly what: string;
  readonly measured: number;
  readonly target: { readonly atLeast: number } | { readonly atMost: number };
}

export function isMet({ measured, target }: Verdict): boolean {
  return 'atLeast' in target ? measured >= target.atLeast : measured <= target.atMost;
}
