import type { Piece } from '../fact.js';
import type { Line } from './lines.js';

/** Markdown marks: emphasis, code spans, headings, quotes, strike-through. */
const MARKS = /[*_`#>~]+/g;
const SPACES = /\s+/g;
const SINGLE_QUOTES = /[‘’]/g;
const DOUBLE_QUOTES = /[“”„«»]/g;

/**
 * Removes differences that summarizers make when they copy word for word: case, space, Markdown marks and quotation
 * marks. Also replaces the Greek final sigma, because the lower case of a sigma depends on the next character.
 */
export function folded(text: string): string {
  return text
    .replace(MARKS, '')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(SPACES, ' ')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .trim();
}

/** A sentence, with a piece for each of its lines: each kept fact is a single line. `isItem`: in a list item. */
export interface Sentence {
  readonly pieces: readonly Piece[];
  readonly isItem: boolean;
  readonly isHeading: boolean;
}

/** Maximum number of characters in a sentence. Longer text is usually pasted data. Loupe cuts it at a space. */
const LONGEST_SENTENCE = 600;

/** Minimum length of a line that an editor may have wrapped. The author ended a shorter line on purpose. */
const SHORTEST_WRAPPED_LINE = 60;

/** Text before the first word of a line: quote marks, heading marks, a list marker with its check box. */
const LINE_START = /^[\s>]*(?:(#{1,6}\s)|([-*+•–]\s+(?:\[[ xX]\]\s)?|\d{1,3}[.)]\s))?\s*/;

const ENDS = new Set(['.', '!', '?', '…', '。', '！', '？']);

/** Characters after the end of a sentence that still belong to the sentence. */
const CLOSERS = new Set(['"', "'", ')', ']', '*', '_', '”', '’', '»', '.', '!', '?']);

/** Words whose full stop does not end a sentence. A full stop after a single letter ends no sentence: "z. B.". */
const ABBREVIATIONS = new Set(
  'e.g i.e etc vs cf approx incl excl no nr resp ca bzw z.b d.h u.a usw ggf evtl inkl p.ej ej ex env dr mr mrs st'.split(' '),
);

/** Length of the longest abbreviation. This is how far to look back from a full stop. */
const LONGEST_ABBREVIATION = 7;

const CODE_SPAN = /`[^`]*`/g;
const TOKEN = /[\p{L}\p{N}'%-]+|[.,;:!?()]/gu;

/** Returns the sentences outside code, in order. A sentence ends at the end of its line, unless the line is wrapped. */
export function sentencesOf(lines: readonly Line[]): Sentence[] {
  const sentences: Sentence[] = [];
  let isWrapped = false;
  for (const line of lines) {
    const begun = line.isCode || line.text === '' ? [] : sentencesIn(line);
    const [first, last] = [begun[0], sentences.at(-1)];
    if (isWrapped && last !== undefined && first !== undefined && continues(first)) {
      sentences[sentences.length - 1] = { ...last, pieces: [...last.pieces, ...first.pieces] };
      begun.shift();
    }
    sentences.push(...begun);
    isWrapped = first !== undefined && goesOn(line, sentences.at(-1));
  }
  return sentences;
}

function sentencesIn(line: Line): Sentence[] {
  const start = LINE_START.exec(line.text);
  const [isHeading, isItem] = [start?.[1] !== undefined, start?.[2] !== undefined];
  return piecesOf(line, start?.[0].length ?? 0).map((piece) => ({ pieces: [piece], isItem, isHeading }));
}

/** Whether a sentence may continue the sentence at the end of the previous line. */
function continues({ pieces, isItem, isHeading }: Sentence): boolean {
  return !isItem && !isHeading && /^\p{Ll}/u.test(pieces[0]?.text ?? '');
}

/** Whether the next line may continue the sentence. The maximum length keeps a page from becoming one sentence. */
function goesOn({ text }: Line, sentence: Sentence | undefined): boolean {
  const last = sentence?.pieces.at(-1);
  return (
    sentence !== undefined &&
    last !== undefined &&
    text.length >= SHORTEST_WRAPPED_LINE &&
    !isEnded(last.text) &&
    lengthOf(sentence) < LONGEST_SENTENCE
  );
}

export function sentenceText(sentence: Sentence): string {
  return sentence.pieces.map(({ text }) => text).join(' ');
}

/**
 * Returns a sentence in the form that patterns match: folded, without accents, code spans replaced by the word "x", one
 * space around each word and punctuation mark, and a full stop in front. So ` [.,;:!?()] ` matches before each clause.
 */
export function plainSentence(sentence: string): string {
  const text = folded(sentence.replace(CODE_SPAN, ' x '));
  const unaccented = text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
  return ` . ${(unaccented.match(TOKEN) ?? []).join(' ')} `;
}

function lengthOf({ pieces }: Sentence): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

function isEnded(text: string): boolean {
  return /[.!?…:;。！？]["')\]*_”’»]*$/.test(text.slice(-LONGEST_ABBREVIATION));
}

function piecesOf(line: Line, from: number): Piece[] {
  const pieces: Piece[] = [];
  const { text } = line;
  let start = from;
  let index = from;
  while (index < text.length) {
    index = afterNext(text, index);
    const isEnd = index >= text.length || (ENDS.has(text.charAt(index - 1)) && isEndAt(text, index));
    if (isEnd) {
      pieces.push(...bounded(trimmed(text, start, index), line.at));
      start = index;
    }
  }
  return pieces;
}

/** Returns the index after the next end of a sentence, with closing marks such as quotes. Skips code spans. */
function afterNext(text: string, from: number): number {
  let index = from;
  while (index < text.length && !ENDS.has(text.charAt(index))) {
    const closed = text.charAt(index) === '`' ? text.indexOf('`', index + 1) : -1;
    // A backtick begins a code span only if the closing backtick is within the length of a sentence.
    index = closed !== -1 && closed - index < LONGEST_SENTENCE ? closed + 1 : index + 1;
  }
  index += 1;
  while (index < text.length && CLOSERS.has(text.charAt(index))) {
    index += 1;
  }
  return index;
}

function isEndAt(text: string, index: number): boolean {
  if (!/\s/.test(text.charAt(index))) {
    return /[。！？]/.test(text.charAt(index - 1));
  }
  if (text.charAt(index - 1) !== '.') {
    return true;
  }
  const before = text.slice(Math.max(0, index - 1 - LONGEST_ABBREVIATION), index - 1);
  const word = before.slice(before.search(/[^\s("'[]*$/)).toLowerCase();
  return !ABBREVIATIONS.has(word) && !/^(?:\p{L}\.)*\p{L}$/u.test(word);
}

function trimmed(text: string, from: number, to: number): Piece {
  const part = text.slice(from, to);
  return { text: part.trim(), at: from + part.length - part.trimStart().length };
}

/** Cuts a piece longer than `LONGEST_SENTENCE` at spaces. Drops single words longer than `LONGEST_SENTENCE`. */
function bounded({ text, at }: Piece, lineAt: number): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  while (text.length - start > LONGEST_SENTENCE) {
    const space = text.lastIndexOf(' ', start + LONGEST_SENTENCE);
    const next = space > start ? space : text.indexOf(' ', start + LONGEST_SENTENCE);
    if (next === -1) {
      return pieces;
    }
    if (next - start <= LONGEST_SENTENCE) {
      pieces.push({ text: text.slice(start, next), at: lineAt + at + start });
    }
    start = next + 1;
  }
  return start < text.length ? [...pieces, { text: text.slice(start), at: lineAt + at + start }] : pieces;
}
