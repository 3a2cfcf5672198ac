import type { History } from './history.js';
import { summaryBudget } from './summaryBudget.js';

/**
 * What a compaction does. It replaces what stands before the cut and is not pinned: by a summary, or, when it truncates, by
 * the lines that must survive.
 */
export type Plan =
  | { readonly case: 'none' }
  | {
      readonly case: 'truncate' | 'summarize';
      /** Id of the last message replaced. */
      readonly to: string;
      /** Messages replaced, and their tokens. Pinned ones do not count. */
      readonly messages: number;
      readonly tokens: number;
      /** Most tokens of what stands in their place. */
      readonly summaryTokens: number;
    };

export const NO_PLAN: Plan = { case: 'none' };

/** The plan that cuts at place `cut`, with a summary of the usual size; none when that removes nothing. */
export function planAt(history: History, cut: number, what: 'truncate' | 'summarize'): Plan {
  const last = history.messages[cut - 1];
  const tokens = history.freedBefore[cut] ?? 0;
  const messages = history.removedBefore[cut] ?? 0;
  if (last === undefined || messages === 0) {
    return NO_PLAN;
  }
  return { case: what, to: last.message.id, messages, tokens, summaryTokens: summaryBudget(tokens) };
}

/** Tokens by which the conversation shrinks at least. Negative when the summary may be longer than what it replaces. */
export function gain(plan: Plan): number {
  return plan.case === 'none' ? 0 : plan.tokens - plan.summaryTokens;
}
