import type { AnswerSpent } from '../../engine/accounting/usage.js';
import type { SentAgain } from '../../engine/chat/slices/slice.js';
import { counted, price, priceInWords } from '../../protocol/numbers.js';

/** `Sent again without AGENTS.md: $0.0123 instead of $0.0456`. Without the figures until the answer has come: null. */
export function sentAgainText({ change, instead }: Pick<SentAgain, 'change' | 'instead'>, answer: AnswerSpent | null): string {
  const said = `Sent again ${change}`;
  return answer === null ? said : `${said}: ${compared(answer, instead)}`;
}

/** Prices where both are known; else tokens, which compare as well. */
function compared(answer: AnswerSpent, instead: AnswerSpent): string {
  if (answer.usd === null || instead.usd === null) {
    return `${atLeast(counted(answer.tokens, 'token'), answer)} instead of ${atLeast(counted(instead.tokens, 'token'), instead)}`;
  }
  const words = `${atLeast(price(answer.usd), answer)} instead of ${atLeast(price(instead.usd), instead)}`;
  return instead.isPretended && !answer.isPretended ? `${words} that nobody billed` : priceInWords(words, answer.isPretended);
}

function atLeast(written: string, { isAtLeast }: AnswerSpent): string {
  return isAtLeast ? `at least ${written}` : written;
}
