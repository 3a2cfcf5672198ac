import { LOADS, type Item } from './items.js';
import type { PromptItems } from './promptItems.js';

/* Compares a body with its prompt. Each change that a converter may make has a rule here. */

type ResultItem = Extract<Item, { readonly kind: 'result' }>;

/**
 * The Messages API keeps the prompt's order. Exceptions: reasoning that is not at the start of a message or is at its
 * end, and any reasoning when thinking is disabled. A note replaces an empty message.
 */
export function anthropicDifferences({ system, messages }: PromptItems, actual: readonly Item[], thinkingIsDisabled: boolean): string[] {
  const expected = messages.flatMap((items) => {
    const end = items.findLastIndex(({ kind }) => kind !== 'reasoning') + 1;
    const mayReason = items[0]?.kind === 'reasoning' && !thinkingIsDisabled;
    const sent = mayReason ? items.slice(0, end) : items.filter(({ kind }) => kind !== 'reasoning');
    return sent.length === 0 ? [ANY_NOTE] : sent;
  });
  return differences([...system, ...expected], actual, isSameResultInWords);
}

/** A failed result needs text. Text replaces what the API takes no error flag for. */
function isSameResultInWords(expected: Item, actual: Item): boolean {
  if (!isResult(expected) || !isResult(actual) || !expected.failed) {
    return isSame(expected, actual);
  }
  const isTextOnly = !expected.content.some((piece) => isImage(piece) || piece.startsWith(LOADS));
  const words = !isTextOnly || expected.content.length === 0 ? actual.content.slice(0, 1) : [];
  const isNoted = words.every((note) => !isImage(note) && /fail|error/i.test(note));
  return isNoted && isSame({ ...expected, failed: isTextOnly, content: [...words, ...expected.content] }, actual);
}

const ANY_NOTE: Item = { role: 'assistant', kind: 'text', text: '(any note)' };

/**
 * Chat Completions: the system prompt can be one text. An assistant message has separate reasoning (one text per
 * member), text (or a note when it is empty) and calls. A tool message is a text. Images of results are in the user
 * message after them, if one may follow (`imagesFollow`).
 */
export function openAiDifferences({ system, messages }: PromptItems, actual: readonly Item[], imagesFollow: boolean): string[] {
  const expected = messages.flatMap((items) => {
    const results = items.filter(isResult);
    const isOnlyReasoning = items.every(({ kind }) => kind === 'reasoning');
    return [
      ...results,
      ...(imagesFollow ? results.flatMap(imagesOf) : []),
      ...joinedReasoning(items),
      ...(isOnlyReasoning ? [ANY_NOTE] : []),
      ...items.filter(({ kind }) => kind === 'text' || kind === 'image'),
      ...items.filter(({ kind }) => kind === 'call'),
    ];
  });
  const others = actual.filter(({ role }) => role !== 'system');
  const saidSystem = actual.filter(({ role }) => role === 'system');
  return differences([...joinedTexts(system), ...expected], [...joinedTexts(saidSystem), ...others], isSameAsText);
}

/** Returns the first different item and the numbers of items, or nothing. */
function differences(expected: readonly Item[], actual: readonly Item[], same: (expected: Item, actual: Item) => boolean): string[] {
  const at = expected.findIndex((item, index) => actual[index] === undefined || !same(item, actual[index]));
  return [
    ...(expected.length === actual.length ? [] : [`${actual.length} items instead of ${expected.length}`]),
    ...(at === -1 ? [] : [`item ${at} is ${JSON.stringify(actual[at])} instead of ${JSON.stringify(expected[at])}`]),
  ];
}

function isSame(expected: Item, actual: Item): boolean {
  if (expected === ANY_NOTE) {
    return actual.role === 'assistant' && actual.kind === 'text';
  }
  return JSON.stringify(expected) === JSON.stringify(actual);
}

function isSameAsText(expected: Item, actual: Item): boolean {
  if (!isResult(expected) || !isResult(actual)) {
    return isSame(expected, actual);
  }
  return expected.call === actual.call && actual.content.length === 1 && textPattern(expected).test(actual.content[0]!);
}

/** `Error: ` at the start of a failed result, one line per part, and notes for images and empty results. */
function textPattern({ failed, content }: ResultItem): RegExp {
  const lines = content.map((piece) => (isImage(piece) ? '\\(An image, [^)]*\\)' : piece.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')));
  return new RegExp(`^${failed ? 'Error: ' : ''}${lines.length === 0 ? '\\(no output\\)' : lines.join('\n')}$`);
}

function joinedTexts(items: readonly Item[]): Item[] {
  const text = items.map((item) => (item.kind === 'text' ? item.text : '')).join('');
  return items.length === 0 ? [] : [{ role: 'system', kind: 'text', text }];
}

function joinedReasoning(items: readonly Item[]): Item[] {
  return ['reasoning_content', 'reasoning'].flatMap((opaque): Item[] => {
    const texts = items.flatMap((item) => (item.kind === 'reasoning' && item.opaque === opaque ? [item.text] : []));
    return texts.length === 0 ? [] : [{ role: 'assistant', kind: 'reasoning', text: texts.join(''), opaque }];
  });
}

function isResult(item: Item): item is ResultItem {
  return item.kind === 'result';
}

function imagesOf({ role, content }: ResultItem): Item[] {
  return content.filter(isImage).map((url) => ({ role, kind: 'image', url }));
}

function isImage(piece: string): boolean {
  return piece.startsWith('data:image/');
}
