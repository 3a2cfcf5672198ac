import type { Fact } from './fact.js';
import { folded } from './folded.js';

const WORD = /[\p{L}\p{N}_$]/u;
const PATH_BEFORE = /[\p{L}\p{N}_$/\\.~@-]/u;
const SPACE_BEFORE_UNIT = /(\d) (?=[\p{L}%‰€$£°])/gu;

/** The end of a sentence, which a copy may have otherwise. */
const SENTENCE_END = /[\s.!?:;,…]{1,10}$/;

/**
 * Tells of facts whether `text` holds them: word for word but for case, space and Markdown marks; a path or identifier
 * exactly, as a whole word. The text is read once for all facts.
 */
export function keptIn(text: string): (fact: Fact) => boolean {
  const sentences = folded(text);
  const figures = figureForm(sentences);
  return (fact) => {
    switch (fact.kind) {
      case 'path':
        return holdsWord(text, fact.text, PATH_BEFORE);
      case 'identifier':
        return holdsWord(text, fact.text, WORD);
      case 'figure':
        return holdsWord(figures, figureForm(folded(fact.text)), /[\p{L}\p{N}_.,]/u);
      case 'constraint':
      case 'decision':
      case 'question':
      case 'error':
        return holdsWord(sentences, folded(fact.text).replace(SENTENCE_END, ''), WORD);
    }
  };
}

function figureForm(text: string): string {
  return text.replaceAll('\u00A0', ' ').replace(SPACE_BEFORE_UNIT, '$1');
}

/** Whether `word` stands in `text` with nothing that `before` matches in front of it, and no word going on behind it. */
function holdsWord(text: string, word: string, before: RegExp): boolean {
  if (word === '') {
    return true;
  }
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const isStart = at === 0 || !before.test(text.charAt(at - 1)) || (!WORD.test(word.charAt(0)) && !PATH_BEFORE.test(word.charAt(0)));
    if (isStart && isEndOfWord(text, at + word.length, word)) {
      return true;
    }
  }
  return false;
}

function isEndOfWord(text: string, end: number, word: string): boolean {
  const next = text.charAt(end);
  if (next === '' || !/[\p{L}\p{N}_$]$/u.test(word)) {
    return true;
  }
  // "a.ts." ends a sentence, "a.ts.bak" is another file.
  const goesOn = /[.\\/-]/.test(next) && WORD.test(text.charAt(end + 1));
  return !WORD.test(next) && !goesOn;
}
