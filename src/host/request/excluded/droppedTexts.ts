import type { ContextRecord, FileCut } from '../../../engine/record/manifest.js';
import { countedAs } from '../../../protocol/numbers.js';

/** Maximum number of sentences about files. Users do not read more warnings before they send a message. */
const MOST_NAMED = 3;

/** Returns one sentence for each of the first files that were dropped or cut to fit the budget. */
export function droppedSentences(records: readonly ContextRecord[]): string[] {
  const sentences = records.flatMap(({ item, leftOut, cut }) => {
    if (leftOut?.code === 'noRoom') {
      return [droppedWholeSentence(item.name, leftOut.tokens)];
    }
    return cut === undefined ? [] : [cutSentence(item.name, cut)];
  });
  const more = sentences.length - MOST_NAMED;
  return more > 0 ? [...sentences.slice(0, MOST_NAMED), `Loupe cut or dropped ${countedAs(more, 'more file', 'more files')}.`] : sentences;
}

export function droppedSentence(name: string, cut: FileCut): string {
  return cut.lines === 0 ? droppedWholeSentence(name, cut.ofTokens) : cutSentence(name, cut);
}

function droppedWholeSentence(name: string, tokens: number): string {
  return `Loupe dropped ${name}: the request has no room for its ${figure(tokens)} tokens.`;
}

function cutSentence(name: string, { tokens, ofTokens }: FileCut): string {
  return `Loupe cut ${name} to fit: ${figure(tokens)} of its ${figure(ofTokens)} tokens remain.`;
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
