import type { Objection } from '../../../engine/spend/limits.js';
import type { SpendQuestionView, SpendReason } from '../../../protocol/spend.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { SpendQuestion } from '../../chat/spend/spendGate.js';

/** Returns the question for the request that has waited longest for approval, or null. Questions appear one by one. */
export function spendQuestionView({ spending }: Pick<ChatSession, 'spending'>): SpendQuestionView | null {
  const [first] = spending.questions;
  return first === undefined ? null : questionView(first);
}

export function questionView({ id, about, cost, objection }: SpendQuestion): SpendQuestionView {
  const parts = cost.parts.map(({ name, tokens, usd }) => ({ name, tokens, cost: usd }));
  return { id, about, cost: cost.usd, replyCost: cost.replyUsd, tokens: cost.tokens, parts, reason: reasonView(objection) };
}

function reasonView(objection: Objection): SpendReason {
  if (objection.kind === 'dear') {
    return objection;
  }
  const { kind, limit, spent } = objection;
  return { kind, limit, spent: spent.usd, isAtLeast: spent.isAtLeast };
}
