/** Maximum tokens of a summary, as a share of the tokens that it replaces. The two limits below also apply. */
const SHARE = 0.02;
export const LEAST_SUMMARY_TOKENS = 500;
export const MOST_SUMMARY_TOKENS = 4_000;

export function summaryBudget(replaced: number): number {
  return Math.min(MOST_SUMMARY_TOKENS, Math.max(LEAST_SUMMARY_TOKENS, Math.round(replaced * SHARE)));
}
