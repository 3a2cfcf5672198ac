/*
 * The words of a text as the ranker compares them. Names in code are divided: `parseHTTPHeader` has the words of `parse http header`.
 */

/** Divides names: before a capital behind a small letter, before the last capital of several, between letters and digits. */
const INNER_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu;

const WORD = /[\p{L}\p{N}]+/gu;

/** Words that say nothing about what a text is about. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its they them their there here i me my mine we us our you your he she his her who whom whose which what ' +
    'when where why how is are was were be been being am do does did done doing has have had having can could will would shall should may might ' +
    'must of in on at by for from to into onto with without within out off over under about as than then so if else or and not no nor but also ' +
    'too very just only even still again all any some each every both few more most less least much many other another such own same one two s t ' +
    'don doesn didn isn aren wasn won ll ve re d m let lets get gets got please thanks thank hi hello ok okay yes now up down because while after ' +
    'before during until via per vs etc eg ie like'
  ).split(' '),
);

/** Makes one of the forms of a word in small letters: `authenticate` and `authentication` have the same stem. */
export type Stem = (word: string) => string;

/** The stems of a text's words, in their order, without empty words. */
export function stemsOf(text: string, stem: Stem): string[] {
  const stems: string[] = [];
  for (const [whole] of text.matchAll(WORD)) {
    for (const part of whole.split(INNER_BOUNDARY)) {
      const word = part.toLowerCase();
      if (word.length > 1 && !EMPTY_WORDS.has(word)) {
        stems.push(stem(word));
      }
    }
  }
  return stems;
}
