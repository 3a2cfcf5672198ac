import type { History } from './history.js';
import { summaryBudget } from './summaryBudget.js';

/**
 * A planned compaction. `summarize` replaces the messages up to `to` with a summary, `truncate` only with lines kept
 * word for word. Pinned messages are not replaced.
 */
export type Plan =
  | { readonly case: 'none' }
  | {
      readonly case: 'truncate' | 'summarize';
      readonly to: string;
      /** Number of the replaced messages, without pinned messages. */
      readonly messages: number;
      /** Tokens of the replaced messages, without pinned messages. */
      readonly tokens: number;
      /** Maximum number of tokens of the text that replaces the messages. */
      readonly summaryTokens: number;
    };

export const NO_PLAN: Plan = { case: 'none' };

/** Returns the plan for a cut at place `cut`, with a summary of usual size. `NO_PLAN` when the cut removes nothing. */
export function planAt(history: History, cut: number, what: 'truncate' | 'summarize'): Plan {
  const last = history.messages[cut - 1];
  const tokens = history.freedBefore[cut] ?? 0;
  const messages = history.removedBefore[cut] ?? 0;
  if (last === undefined || messages === 0) {
    return NO_PLAN;
  }
  return { case: what, to: last.message.id, messages, tokens, summaryTokens: summaryBudget(tokens) };
}

/** Returns how many tokens a plan frees at least. Negative when the summary can be longer than the messages. */
export function gain(plan: Plan): number {
  return plan.case === 'none' ? 0 : plan.tokens - plan.summaryTokens;
}
