import type { SpendQuestionView } from '../../../protocol/questions.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { SpendQuestion } from '../../chat/spend/spendGate.js';

/** Returns the question for the request that has waited longest for approval, or null. Questions appear one by one. */
export function spendQuestionView({ spending }: Pick<ChatSession, 'spending'>): SpendQuestionView | null {
  const [first] = spending.questions;
  return first === undefined ? null : questionView(first);
}

export function questionView({ id, about, cost, objection }: SpendQuestion): SpendQuestionView {
  const parts = cost.parts.map(({ name, tokens, usd }) => ({ name, tokens, cost: usd }));
  const reason = objection.kind === 'dear' ? objection : { ...objection, spent: objection.spent.usd, isAtLeast: objection.spent.isAtLeast };
  return { id, about, cost: cost.usd, replyCost: cost.replyUsd, tokens: cost.tokens, parts, reason };
}
