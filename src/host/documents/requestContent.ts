import { priceInWords } from '../../protocol/pretended.js';
import { price } from '../../protocol/numbers.js';
import { modelKey } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { Prompt } from '../../engine/request/prompt.js';
import type { RequestSize } from '../../engine/tokens/requestSize.js';
import { overBudget } from '../request/overBudget.js';
import type { Rebuilt } from '../request/rebuildRequest.js';
import type { Composed } from '../request/composed.js';
import { shedSentences } from '../request/shedTexts.js';
import { adaptationSentences } from '../request/sizeTexts.js';
import { readablePage, requestSections, tokenText } from './readablePage.js';
import { page, requestHead, responseLines } from './requestPage.js';
import { requestParts } from '../request/requestParts.js';

/** A request to show, raw or to be read. */
export interface RequestContent {
  /** `Next request`, `Request`. */
  readonly name: string;
  readonly size: RequestSize;
  /** `≈ 1,786 tokens`: the size as the panel writes it. */
  readonly total: string;
  /** Null when it is not known. */
  readonly price: string | null;
  /** `provider/model`. */
  readonly model: string;
  /** Sentences on what this is. */
  readonly notes: readonly string[];
  /** Where it went, and its headers. */
  readonly sentTo: readonly string[];
  readonly prompt: Prompt;
  readonly body: string;
  /** Empty before it is sent. */
  readonly response: readonly string[];
}

/** The next request. `isEmpty`: nothing is written in the message box. `isReplying`: a reply is being written in its chat. */
export function nextContent(
  composed: Composed,
  { isEmpty, isReplying }: { readonly isEmpty: boolean; readonly isReplying: boolean },
): RequestContent {
  const { size, inputCost, isPartial, model, adaptations, prompt, records } = composed;
  const problem = overBudget(composed);
  return {
    name: 'Next request',
    size,
    total: sizeText(size, isPartial),
    price: inputCost === null || isPartial ? null : `input ${priceInWords(price(inputCost), model.prices?.isPretended === true)}`,
    model: modelKey(model.ref),
    notes: [
      'As it would be sent now, and as it changes. Not sent yet.',
      ...(isReplying ? ['A reply is being written: it will be in this request, and so will messages that wait for its end.'] : []),
      ...(isEmpty ? ['The message box is empty: your message will be added at the end.'] : []),
      ...(problem === null ? [] : [problem]),
      ...shedSentences(records),
      ...adaptationSentences(adaptations, model.label),
    ],
    sentTo: [],
    prompt,
    body: composed.wire().body,
    response: [],
  };
}

/** The request of an attempt. */
export function sentContent(attempt: AttemptState, { prompt, body, note }: Rebuilt): RequestContent {
  const { manifest, model, startedAt, end, isPretended } = attempt;
  const cost = end?.cost ?? null;
  return {
    name: 'Request',
    size: manifest.size,
    total: sizeText(manifest.size, false),
    price: cost === null ? null : `${priceInWords(price(cost.usd), isPretended === true)} with its reply`,
    model: modelKey(model),
    notes: [
      `Sent ${new Date(startedAt).toISOString()}.`,
      note ?? `Exactly what was sent (SHA-256 ${manifest.bodyHash}).`,
      ...adaptationSentences(manifest.adaptations, model.model),
    ],
    sentTo: requestHead(attempt),
    prompt,
    body,
    response: responseLines(attempt),
  };
}

/** The bytes that are sent, indented, with all else in comments. */
export function rawDocument(content: RequestContent): string {
  const { notes, sentTo, body, response } = content;
  return page([titleOf(content), ...notes, ...sentTo, 'The body, with line breaks added:'], body, response);
}

/** Part by part, with texts as they are. */
export function readableDocument(content: RequestContent): string {
  const { size, notes, sentTo, prompt, body, response } = content;
  const parts = requestParts(prompt);
  const framingTokens = parts.reduce((rest, { tokens }) => rest - tokens, size.counted);
  return readablePage(
    requestSections({ title: titleOf(content), head: [...notes, ...countNote(size), ...sentTo], parts, body, framingTokens, response }),
  );
}

/** Why the tokens of the parts do not add up to the size. */
function countNote({ tokens, counted }: RequestSize): readonly string[] {
  const more = counted - tokens;
  return more === 0
    ? []
    : [`Loupe counts the parts: ${tokenText(counted)} in all, ${String(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'}.`];
}

function titleOf({ name, total, price, model }: RequestContent): string {
  return [name, total, ...(price === null ? [] : [price]), model].join(' · ');
}

/** As the panel marks sizes that are not exact. */
function sizeText({ tokens, basis }: RequestSize, isPartial: boolean): string {
  return `${isPartial ? '≥ ' : basis === 'estimate' ? '≈ ' : ''}${tokenText(tokens)}`;
}
