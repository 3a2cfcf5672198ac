import type { Found, FoundKind } from './fact.js';
import { type Cue, plain, type SentenceKind, unaccented, unaccentedPattern } from './cues/cue.js';
import { ENGLISH } from './cues/english.js';
import { FRENCH } from './cues/french.js';
import { GERMAN } from './cues/german.js';
import { SPANISH } from './cues/spanish.js';
import type { Line } from './lines.js';
import { type Sentence, sentencesOf, sentenceText } from './sentences.js';
import { isStatement } from './statements.js';

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
  KINDS.flatMap((kind) =>
    LANGUAGES.flatMap((language) =>
      unaccented(language[kind].headings)
        .split(' ')
        .map((word) => [word, kind] as const),
    ),
  ),
);

/** A question that asks for what it says: "Could you make sure that …?" */
const REQUEST = unaccentedPattern(
  / (?:can|could|would|will|may) (?:you|we|i ask you) | (?:kannst|könntest|würdest|magst) du | (?:können|könnten|würden) (?:sie|wir) | (?:könnt|könntet|würdet) ihr | (?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|peut-on|pourrait-on|(?:tu|vous) (?:peux|pourrais|pouvez|pourriez)|serait-il possible) | (?:puedes|podrías|podés|puede|podría|podríais|pueden|podrían|podemos|(?:te|le) importaría|sería posible) /,
);

/** What makes a request one for all that follows, beside the signs of a constraint. */
const LASTING = unaccentedPattern(
  / (?:mind (?:not )?(?:using|keeping|leaving|writing|sticking|avoiding|\S+ing (?:\S+ ){1,8}(?:instead|rather)) |make sure|ensure|never|always|keep|not|avoid|only|leave|stick|stay|stop|from now on|in (?:the )?future|going forward|instead|rather than|refrain|without|prefer|künftig|zukünftig|in zukunft|weiterhin|ab (?:jetzt|sofort)|immer|nur|kein(?:e|en)?|nicht|statt|ohne|darauf achten|lieber|désormais|dorénavant|à l'avenir|plutôt|au lieu|toujours|éviter|garder|rester|ne (?:pas|plus|jamais)|siempre|en adelante|a partir de ahora|en vez|en lugar|mejor|evitar|mantener|dejar de|no) /,
);

/** What asks for an answer, whatever stands in it. */
const ASKING = unaccentedPattern(
  / (?:explain|tell|show|why|how|what|which|where|see|find out|check|erklären|sagen|zeigen|warum|wie|wieso|nachsehen|schauen|expliquer|m'expliquer|dire|montrer|pourquoi|comment|explicar|explicarme|decir|decirme|mostrar|mirar|por qué|cómo) (?:\S+ )/,
);

/** What a user says behind a question that nobody could answer yet: it stays open, however old it is. */
const UNANSWERED = unaccentedPattern(
  /^ [.] (?:\S+ ){0,3}(?:no (?:idea|clue)|not sure(?: yet)?|don't know(?: yet)?|(?:keine ahnung|weiß (?:ich|noch))|(?:ich )?weiß (?:es )?(?:noch )?nicht|aucune idée|je ne sais pas|je sais pas|ni idea|no lo sé|no sé|(?:need|have) to (?:ask|check|clarify)|(?:still|yet) (?:open|to)|(?:nobody|no one) (?:\S+ )?(?:answered|knows|knew)|noch offen|à voir|por ver) /,
);

/**
 * The sentences that are constraints, decisions and questions. Each line of a sentence is a fact. The items of a list are what
 * its introduction says: "Rules:". Other sentences are statements where `isSaid` has it that the user said what stands at an index.
 */
export function sentenceFacts(lines: readonly Line[], isSaid: (at: number) => boolean): Found[] {
  const found: Found[] = [];
  let introduced: FoundKind | null = null;
  for (const sentence of sentencesOf(lines)) {
    const text = sentenceText(sentence);
    const words = plain(text);
    introduced = sentence.isItem ? introduced : null;
    const kind: FoundKind | null = introduced ?? kindOf(words);
    if (UNANSWERED.test(words)) {
      keepOpen(found, sentence);
    }
    const heading: FoundKind | null = introducedBy(sentence, text, words);
    const isWhole = introduced !== null || words.split(' ', FEWEST_WORDS + 2).length > FEWEST_WORDS + 1;
    found.push(...(kind === null ? statementIn(sentence, text, words, isSaid) : isWhole ? linesAs(kind, sentence) : []));
    introduced = introduced ?? heading ?? (kind !== null && isIntroduction(words) ? kind : null);
  }
  return found;
}

function linesAs(kind: FoundKind, { pieces }: Sentence): Found[] {
  return pieces.map(({ text, at }) => ({ kind, text, at }));
}

function statementIn({ pieces, isHeading }: Sentence, text: string, words: string, isSaid: (at: number) => boolean): Found[] {
  const at = pieces[0]?.at ?? 0;
  return !isHeading && isSaid(at) && isStatement(text, words) ? [{ kind: 'statement', text, at }] : [];
}

/**
 * Makes the question before a sentence that has no answer to it an open one. The sentence goes with it: a later summary sees
 * nothing else that tells the question from an answered one.
 */
function keepOpen(found: Found[], { pieces: [answer] }: Sentence): void {
  const asked = found.at(-1);
  if (asked?.kind === 'plain-question' && answer !== undefined && answer.at === asked.at + asked.text.length + 1) {
    found[found.length - 1] = { ...asked, kind: 'question', text: `${asked.text} ${answer.text}` };
  }
}

function kindOf(words: string): FoundKind | null {
  if (/ \? (?:[)!] )*$/.test(words)) {
    const kinds = kindsOf(words);
    if (isRequest(words, kinds)) {
      return 'constraint';
    }
    return kinds.has('question') ? 'question' : 'plain-question';
  }
  const kinds = kindsOf(words);
  return KINDS.find((kind) => kinds.has(kind)) ?? null;
}

function isRequest(words: string, kinds: ReadonlySet<SentenceKind>): boolean {
  return REQUEST.test(words) && (kinds.has('constraint') || LASTING.test(words)) && !ASKING.test(words);
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
