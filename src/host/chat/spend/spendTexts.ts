import { failure, type LoupeError } from '../../../engine/errors.js';
import type { CapObjection, Objection, SpentSum } from '../../../engine/spend/limits.js';
import { amount, counted, price, roughPrice, tokens } from '../../../protocol/numbers.js';
import type { RequestCost } from '../../request/requestCost.js';

/* Texts about requests that exceed a spend limit. The log of a chat stores notes with these texts. */

/** Returns why a run ends between two steps: the next request would exceed a spend cap. */
export function capFailure({ kind, limit, spent }: CapObjection, cost: RequestCost): LoupeError {
  const told = { spent: spentInWords(spent), cap: amount(limit), next: nextStep(cost) };
  return kind === 'chatCap' ? failure('spend.chatCap', told) : failure('spend.dayCap', told);
}

/** Returns why a run ends before a request that the user did not approve. */
export function declinedFailure(cost: RequestCost): LoupeError {
  return failure('spend.declined', { price: costInWords(cost) });
}

export function titleNotAsked(objection: Objection, cost: RequestCost): LoupeError {
  return failure('spend.titleNotAsked', { price: costInWords(cost), reason: reasonInWords(objection) });
}

/** Returns why Loupe did not request a summary although the chat needs one. */
export function summaryNotAsked(objection: Objection, cost: RequestCost): LoupeError {
  return failure('spend.summaryNotAsked', { price: costInWords(cost), reason: reasonInWords(objection) });
}

/** Returns the part of a sentence after "because": `your limit is $0.50 (loupe.spend.askAbove)`. */
function reasonInWords(objection: Objection): string {
  switch (objection.kind) {
    case 'dear':
      return `your limit is ${amount(objection.limit)} (loupe.spend.askAbove)`;
    case 'chatCap':
      return `this chat has spent ${spentInWords(objection.spent)} of its limit of ${amount(objection.limit)}`;
    case 'dayCap':
      return `this workspace has spent ${spentInWords(objection.spent)} of its daily limit of ${amount(objection.limit)}`;
  }
}

function spentInWords({ usd, isAtLeast }: SpentSum): string {
  return isAtLeast ? `at least ${price(usd)} (some requests have no known price)` : price(usd);
}

/** Returns: `The next step would send 48,108 tokens and cost about $0.12. Largest parts: rules 30,000 ($0.08).` */
function nextStep({ usd, tokens: held, parts }: RequestCost): string {
  const costs = usd === null ? '; its price is unknown' : ` and cost about ${roughPrice(usd)}`;
  const largest = parts.map((part) => `${part.name} ${tokens(part.tokens)}${part.usd === null ? '' : ` (${roughPrice(part.usd)})`}`);
  return `The next step would send ${counted(held, 'token')}${costs}. Largest parts: ${largest.join(', ')}.`;
}

function costInWords({ usd }: RequestCost): string {
  return usd === null ? 'an unknown price' : roughPrice(usd);
}
