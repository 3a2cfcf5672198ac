/* Words of a text, for ranking items. Names in code are divided: `parseHTTPHeader` becomes `parse http header`. */

/** Divides names: before a capital after a small letter, before the last of several capitals, and next to digits. */
const INNER_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu;

const SIMPLE = /^[a-z]+$/;

const WORD = /[\p{L}\p{N}]+/gu;

/** Words that show no topic, and are ignored when items are ranked. */
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

/** Words on any topic, which say little about the topic of a message. */
export interface Background {
  readonly words: ReadonlySet<string>;
  /** Whether other forms count, too: `files` as `file`. */
  readonly inAllForms: boolean;
  /** Factor for the weight of these words. */
  readonly weight: number;
}

const EVERYDAY_WORDS = (
  'want need use make show write explain work new thing people somebody someone anybody give find look see tell add change fix create open put ' +
  'call know find run set try help say look way right good part kind day time first last long short big small old keep start end number name ' +
  'list line file code test error function value type data build report project plan'
).split(' ');

/** For searches of source files and tools, in which the words of programs can be the topic. */
export const SOURCE_BACKGROUND: Background = {
  words: new Set([...EVERYDAY_WORDS, 'page', 'team', 'text', 'user']),
  inAllForms: false,
  weight: 0.2,
};

const PROGRAM_WORDS = (
  'app argument array better broken bug check class clean convert correct crash default different document example extract fail fill finish ' +
  'folder format generate input loop map merge method module move next object option optional output parameter print problem program random ' +
  'remove rename replace return review same script search second simple split step string swap turn update variable walk wrong ' +
  'anything back everything nothing something through whether'
).split(' ');

/**
 * For messages in chats: also the parts of any program, and what to do with them. The weight is so low that a message
 * with a few of these words picks no item.
 */
export const MESSAGE_BACKGROUND: Background = { words: new Set([...EVERYDAY_WORDS, ...PROGRAM_WORDS]), inAllForms: true, weight: 0.15 };

/** Returns the stem of a lower-case word. `authenticate` and `authentication` have the same stem. */
export type Stem = (word: string) => string;

/** Returns the words of a text in lower case, in order, without `EMPTY_WORDS`. */
export function wordsOf(text: string): string[] {
  return (
    (text.match(WORD) ?? [])
      // Most words need no division, and this regular expression is slow.
      .flatMap((whole) => (SIMPLE.test(whole) ? whole : whole.split(INNER_BOUNDARY)))
      .map((word) => word.toLowerCase())
      .filter((word) => word.length > 1 && !EMPTY_WORDS.has(word))
  );
}
