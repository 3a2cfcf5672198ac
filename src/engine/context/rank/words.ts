/*
 * The words of a text as the ranker compares them. Names in code are divided: `parseHTTPHeader` has the words of `parse http header`.
 */

/** Divides names: before a capital behind a small letter, before the last capital of several, between letters and digits. */
const INNER_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu;

const SIMPLE = /^[a-z]+$/;

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

/** Words that are in many messages to a programmer, whatever these are about. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'want need use make show write explain work new thing people somebody someone anybody give find look see tell add change fix create open put ' +
    'call know find run set try help say look way right good part kind day time first last long short big small old keep start end number name ' +
    'list line file code test error function value type text data user build page report project team plan'
  ).split(' '),
);

/** Makes one of the forms of a word in small letters: `authenticate` and `authentication` have the same stem. */
export type Stem = (word: string) => string;

/** The words of a text in small letters, in their order, without those that say nothing. */
export function wordsOf(text: string): string[] {
  return (
    (text.match(WORD) ?? [])
      // Most words are as they are, and this expression is slow.
      .flatMap((whole) => (SIMPLE.test(whole) ? whole : whole.split(INNER_BOUNDARY)))
      .map((word) => word.toLowerCase())
      .filter((word) => word.length > 1 && !EMPTY_WORDS.has(word))
  );
}

/** Whether a word says little about what a message is about. */
export function isCommon(word: string): boolean {
  return COMMON_WORDS.has(word);
}
