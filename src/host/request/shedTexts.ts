import type { FileCut } from '../../engine/context/fileCut.js';
import type { ContextRecord } from '../../engine/request/manifest.js';
import type { RequestSize } from '../../engine/tokens/requestSize.js';
import { scaledTokens } from './sizeTexts.js';

/** As many warnings as are read before a message is sent. */
const MOST_NAMED = 3;

/** What a request had no room for, a sentence for each of the first files. */
export function shedSentences(records: readonly ContextRecord[], size: RequestSize): string[] {
  const sentences = records.flatMap(({ item, leftOut, cut }) => {
    if (leftOut?.code === 'noRoom') {
      return [leftOutSentence(item.name, leftOut.tokens, size)];
    }
    return cut === undefined ? [] : [cutSentence(item.name, cut, size)];
  });
  const more = sentences.length - MOST_NAMED;
  return more > 0
    ? [...sentences.slice(0, MOST_NAMED), `${figure(more)} more ${more === 1 ? 'file is' : 'files are'} cut or left out.`]
    : sentences;
}

/** What there was no room for of one file of the next request. */
export function shedSentence(name: string, cut: FileCut, size: RequestSize): string {
  return cut.lines === 0 ? leftOutSentence(name, cut.ofTokens, size) : cutSentence(name, cut, size);
}

function leftOutSentence(name: string, tokens: number, size: RequestSize): string {
  return `${name} is left out: no room for its ${figure(scaledTokens(tokens, size))} tokens.`;
}

function cutSentence(name: string, { tokens, ofTokens }: FileCut, size: RequestSize): string {
  return `${name} was cut to fit: ${figure(scaledTokens(tokens, size))} of ${figure(scaledTokens(ofTokens, size))} tokens.`;
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
