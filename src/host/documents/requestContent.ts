import { counted, price, priceInWords } from '../../protocol/numbers.js';
import { modelKey } from '../../engine/model/modelRef.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { RequestSize } from '../../engine/record/requestSize.js';
import type { RebuiltRequest } from '../request/rebuildRequest.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { overBudget, droppedSentences, adaptationSentences } from '../request/sizeTexts.js';
import type { HeaderPairs } from '../../engine/model/httpExchange.js';
import type { Json } from '../../engine/json.js';

/** Returns the next request as a document. `isEmpty`: the message box is empty. `isReplying`: a reply is streaming. */
export function nextDocument(
  composed: ComposedRequest,
  { isEmpty, isReplying }: { readonly isEmpty: boolean; readonly isReplying: boolean },
): string {
  const { size, inputCost, isPartial, model, adaptations, records } = composed;
  const problem = overBudget(composed);
  const cost = inputCost === null || isPartial ? [] : [`input ${priceInWords(price(inputCost), model.prices?.isPretended === true)}`];
  const notes = [
    ['Next request', sizeText(size, isPartial), ...cost, modelKey(model.ref)].join(' · '),
    'Loupe has not sent this request yet. This page always shows its current content.',
    ...(isReplying ? ['The model is writing a reply. This request will include the reply and queued messages.'] : []),
    ...(isEmpty ? ['The message box is empty. Loupe will add your message at the end.'] : []),
    ...(problem === null ? [] : [problem]),
    ...droppedSentences(records),
    ...adaptationSentences(adaptations, model.label),
  ];
  return page([...notes, BODY_FOLLOWS], composed.wire().body, []);
}

export function sentDocument(attempt: AttemptState, { body, note }: RebuiltRequest): string {
  const { manifest, model, startedAt, end, isPretended } = attempt;
  const cost = end?.cost ?? null;
  const paid = cost === null ? [] : [`${priceInWords(price(cost.usd), isPretended === true)} with its reply`];
  const notes = [
    ['Request', sizeText(manifest.size, false), ...paid, modelKey(model)].join(' · '),
    `Sent ${new Date(startedAt).toISOString()}.`,
    note ?? `This is exactly what Loupe sent (SHA-256 ${manifest.bodyHash}).`,
    ...adaptationSentences(manifest.adaptations, model.model),
  ];
  return page([...notes, ...requestHead(attempt), BODY_FOLLOWS], body, responseLines(attempt));
}

const BODY_FOLLOWS = 'The body, with line breaks added:';

/** Returns the size of a request: `≈ 1,786 tokens` for an estimate, `≥ 1,786 tokens` for a minimum. */
function sizeText({ tokens, basis }: RequestSize, isPartial: boolean): string {
  return `${isPartial ? '≥ ' : basis === 'estimate' ? '≈ ' : ''}${counted(tokens, 'token')}`;
}

/** Returns a JSON body with indentation. `head` becomes comments above the body, `tail` comments below. */
export function page(head: readonly string[], body: string, tail: readonly string[]): string {
  const value = body === '' ? [] : [JSON.stringify(JSON.parse(body), null, 2)];
  return `${[...comments(head), ...value, ...(tail.length === 0 ? [] : ['', ...comments(tail)])].join('\n')}\n`;
}

/** Returns the URL and the headers of a request. Empty until the request has ended. */
export function requestHead({ end }: Pick<AttemptState, 'end'>): string[] {
  if (end === null) {
    return [];
  }
  const { exchange } = end;
  return exchange === null
    ? ['Loupe did not send this request over HTTP, so the request has no URL and no headers.']
    : [`${exchange.method} ${exchange.url}`, ...headerLines(exchange.requestHeaders)];
}

/** Returns the response as lines: status, headers, error, stop reason, id, usage and the provider's diagnosis. */
export function responseLines({ startedAt, end }: Pick<AttemptState, 'startedAt' | 'end'>): string[] {
  if (end === null) {
    return ['Response: still arriving.'];
  }
  const { outcome, exchange, error, stopReason, finishReason, responseId, rawUsage, providerDiagnosis } = end;
  const response = exchange?.response ?? null;
  const status = response === null ? outcome : `HTTP ${String(response.status)}, ${outcome}`;
  const figures: readonly (readonly [name: string, value: Json])[] = [
    ['error', error === null ? null : [error.message, error.detail ?? ''].join(' ').trim()],
    ['stop reason', finishReason ?? stopReason],
    ['id', responseId],
    ['usage', rawUsage],
    ['diagnosis', providerDiagnosis ?? null],
  ];
  return [
    `Response: ${status}, ended after ${((end.at - startedAt) / 1_000).toLocaleString('en-US')} s.`,
    ...headerLines(response?.headers ?? []),
    ...figures.flatMap(([name, value]) =>
      value === null ? [] : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
    ),
  ];
}

function headerLines(headers: HeaderPairs): string[] {
  return headers.map(([name, value]) => `  ${name}: ${value}`);
}

/** Returns the lines as comments. Replaces line breaks in a server's text, because they would end a comment. */
function comments(lines: readonly string[]): string[] {
  return lines.map((line) => `// ${line.replace(/[\r\n\u2028\u2029]+\s*/g, ' ')}`);
}
