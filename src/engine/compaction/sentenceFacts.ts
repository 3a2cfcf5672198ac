import type { Found, FoundKind } from './fact.js';
import { type Cue, plain, type SentenceKind } from './cues/cue.js';
import { ENGLISH } from './cues/english.js';
import { FRENCH } from './cues/french.js';
import { GERMAN } from './cues/german.js';
import { SPANISH } from './cues/spanish.js';
import type { Line } from './lines.js';
import { type Sentence, sentencesOf, sentenceText } from './sentences.js';

/** All are tried on every sentence: people mix languages, and a sentence is too short to guess its language. */
const LANGUAGES = [ENGLISH, GERMAN, FRENCH, SPANISH];

/** What a sentence is if it is several: a decision that something must never be done is a constraint. */
const KINDS: readonly SentenceKind[] = ['constraint', 'decision', 'question'];

/** A shorter sentence says nothing without its neighbours: "Never.", "Let's go." */
const FEWEST_WORDS = 3;

/** A heading or an introduction of a list has few words: "Hard rules:". */
const LONGEST_HEADING = 60;

/** A cue and what it is a sign of. */
interface Sign {
  readonly cue: Cue;
  readonly kind: SentenceKind;
}

const SIGNS = byWord(KINDS.flatMap((kind) => LANGUAGES.flatMap((language) => language[kind].cues.map((cue) => ({ cue, kind })))));

const HEADINGS = new Map<string, SentenceKind>(
  KINDS.flatMap((kind) => LANGUAGES.flatMap((language) => language[kind].headings.split(' ').map((word) => [word, kind] as const))),
);

/** A question that asks for what it says: "Could you make sure that …?" */
const REQUEST =
  / (?:can|could|would|will) you (?:\S+ )?(?:make sure|ensure|never|always|keep|not|avoid|only|leave|stick|stay) | would you mind (?!explaining|showing|telling|checking|looking|having|if )/;

/** A polite beginning. With a sign of a constraint behind it, the question asks for that. */
const POLITE =
  / (?:(?:can|could|would|will) (?:you|we)|(?:kannst|könntest|würdest|könnt|könntet) (?:du|ihr)|(?:können|könnten|würden) (?:sie|wir)|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|tu (?:peux|pourrais)|vous (?:pouvez|pourriez)|puedes|podrías?|podéis|podríais|podríamos) /;

/**
 * The sentences that are constraints, decisions and questions. Each line of a sentence is a fact. The items of a list are what
 * its introduction says: "Rules:".
 */
export function sentenceFacts(lines: readonly Line[]): Found[] {
  const found: Found[] = [];
  let introduced: FoundKind | null = null;
  for (const sentence of sentencesOf(lines)) {
    const text = sentenceText(sentence);
    const words = plain(text);
    introduced = sentence.isItem ? introduced : null;
    const kind: FoundKind | null = introduced ?? kindOf(words);
    const heading: FoundKind | null = introducedBy(sentence, text, words);
    if (kind !== null && (introduced !== null || words.split(' ', FEWEST_WORDS + 2).length > FEWEST_WORDS + 1)) {
      found.push(...sentence.pieces.map(({ text: line, at }) => ({ kind, text: line, at })));
    }
    introduced = introduced ?? heading ?? (kind !== null && isIntroduction(words) ? kind : null);
  }
  return found;
}

function kindOf(words: string): FoundKind | null {
  if (/ \? (?:[)!] )*$/.test(words)) {
    const kinds = kindsOf(words);
    if (REQUEST.test(words) || (POLITE.test(words) && kinds.has('constraint'))) {
      return 'constraint';
    }
    return kinds.has('question') ? 'question' : 'plain-question';
  }
  const kinds = kindsOf(words);
  return KINDS.find((kind) => kinds.has(kind)) ?? null;
}

function kindsOf(words: string): ReadonlySet<SentenceKind> {
  const kinds = new Set<SentenceKind>();
  for (const token of words.split(' ')) {
    for (const { cue, kind } of SIGNS.get(token) ?? []) {
      if (!kinds.has(kind) && (cue.when?.test(words) ?? true) && !(cue.unless?.test(words) ?? false)) {
        kinds.add(kind);
      }
    }
  }
  return kinds;
}

function introducedBy(sentence: Sentence, text: string, words: string): SentenceKind | null {
  if (text.length > LONGEST_HEADING || !(sentence.isHeading || isIntroduction(words))) {
    return null;
  }
  return (
    words
      .split(' ')
      .map((word) => HEADINGS.get(word))
      .find((kind) => kind !== undefined) ?? null
  );
}

function isIntroduction(words: string): boolean {
  return words.endsWith(' : ');
}

function byWord(signs: readonly Sign[]): ReadonlyMap<string, readonly Sign[]> {
  const map = new Map<string, Sign[]>();
  for (const sign of signs) {
    for (const word of sign.cue.words.split(' ')) {
      map.set(word, [...(map.get(word) ?? []), sign]);
    }
  }
  return map;
}
