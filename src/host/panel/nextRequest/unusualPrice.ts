import { type PriceReason, priceReasons, type RequestPart } from '../../../engine/accounting/priceReasons.js';
import { type UnusualPrice, unusualPrice } from '../../../engine/accounting/usualCosts.js';
import { capitalized } from '../../../engine/capitalized.js';
import { contentHash } from '../../../engine/model/block.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import { type ComposedRequest, shownTokens } from '../../../engine/next/compose.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';
import { amount, counted, roughPrice, tokens } from '../../../protocol/numbers.js';
import type { NextRequestView } from '../../../protocol/panel/nextRequest.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { OWN_PARTS, PLURAL_PARTS, partName, usdOfReply } from '../../request/requestCost.js';

/** Describes a price far above the usual price of a turn, or above the ask limit, with the reasons. Null otherwise. */
export function unusualPriceView(
  composed: ComposedRequest,
  { inputCost, reply }: Pick<NextRequestView, 'inputCost' | 'reply'>,
  { state, spending }: Pick<ChatSession, 'state' | 'spending'>,
): string | null {
  const unusual = unusualPrice(inputCost === null ? null : inputCost + (reply?.median ?? 0), state);
  const limit = spending.askLimitBelow(usdOfReply(composed, state));
  if (unusual === null && limit === null) {
    return null;
  }
  const { forecast, situation } = composed;
  const reasons = priceReasons({
    tokens: shownTokens(composed),
    read: forecast?.parts.read ?? 0,
    expired: forecast?.expired?.tokens ?? 0,
    isOtherModel: situation.last?.isSameModel === false,
    parts: requestParts(composed),
  });
  return unusualInWords(unusual, limit, reasons);
}

/** Returns the parts of a request with their new tokens: those that the last request of the chat did not contain. */
function requestParts({ prompt, size, answered, situation }: ComposedRequest): readonly RequestPart[] {
  const sent = new Set((situation.last?.blocks ?? []).map(contentHash));
  const parts = new Map<string, { tokens: number; newTokens: number }>();
  for (const block of promptBlocks(prompt)) {
    const name = partName(block, answered);
    const part = parts.get(name) ?? { tokens: 0, newTokens: 0 };
    part.tokens += block.tokens;
    part.newTokens += sent.has(contentHash(block)) ? 0 : block.tokens;
    parts.set(name, part);
  }
  const scaled = (counted: number): number => scaledTokens(counted, size);
  return [...parts].map(([name, part]) => ({ name, tokens: scaled(part.tokens), newTokens: scaled(part.newTokens) }));
}

function unusualInWords(unusual: UnusualPrice | null, limit: number | null, reasons: readonly PriceReason[]): string {
  return [
    ...(unusual === null ? [] : [`${tokens(Math.round(unusual.times))} times the median of this chat (${roughPrice(unusual.median)}).`]),
    ...(limit === null ? [] : [`Above your limit of ${amount(limit)}, so Loupe asks you before it sends the request.`]),
    ...reasonSentence(reasons),
  ].join(' ');
}

function reasonInWords(reason: PriceReason): string {
  switch (reason.kind) {
    case 'otherModel':
      return 'the model has changed';
    case 'expired':
      return 'the cache expired';
    case 'part':
      return `${reason.name} ${PLURAL_PARTS.has(reason.name) ? 'have' : 'has'} ${counted(reason.tokens, 'token')}`;
  }
}

/** Returns one sentence: `The cache expired, and app.log has 24,000 tokens.` None without reasons. */
function reasonSentence(reasons: readonly PriceReason[]): readonly string[] {
  const [first, ...rest] = reasons;
  if (first === undefined) {
    return [];
  }
  // The name of a file keeps its case.
  const isFile = first.kind === 'part' && !OWN_PARTS.has(first.name);
  const begin = isFile ? reasonInWords(first) : capitalized(reasonInWords(first));
  const last = rest.at(-1);
  return [last === undefined ? `${begin}.` : `${[begin, ...rest.slice(0, -1).map(reasonInWords)].join(', ')}, and ${reasonInWords(last)}.`];
}
