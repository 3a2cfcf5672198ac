import { hasCue, HEADINGS, type SentenceKind } from '../cues.js';
import type { FoundFact, FoundKind } from '../fact.js';
import type { Line } from './lines.js';
import { plainSentence, type Sentence, sentencesOf, sentenceText } from './sentences.js';
import { isStatement } from './statements.js';

/** The kinds, the highest priority first: a decision that something must never be done is a constraint. */
const KINDS: readonly SentenceKind[] = ['constraint', 'decision', 'question'];

/** Minimum words in a fact. A shorter sentence means nothing without its neighbours: "Never.", "Let's go." */
const FEWEST_WORDS = 3;

/** Maximum number of characters in a heading or in the introduction of a list, such as "Hard rules:". */
const LONGEST_HEADING = 60;

/** Matches a question that asks for an action: "Could you make sure that …?" */
const REQUEST =
  / (?:can|could|would|will|may) (?:you|we|i ask you) | (?:kannst|konntest|wurdest|magst) du | (?:konnen|konnten|wurden) (?:sie|wir) | (?:konnt|konntet|wurdet) ihr | (?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|peut-on|pourrait-on|(?:tu|vous) (?:peux|pourrais|pouvez|pourriez)|serait-il possible) | (?:puedes|podrias|podes|puede|podria|podriais|pueden|podrian|podemos|(?:te|le) importaria|seria posible) /;

/** Words that make a request valid for all later work, in addition to the patterns of constraints (`cues.ts`). */
const LASTING =
  / (?:make sure|ensure|mind (?:not )?(?:keeping|leaving|sticking|staying|avoiding)|never|always|keep|not|avoid|only|leave|stick|stay|stop|from now on|in (?:the )?future|going forward|instead|rather than|refrain|without|prefer|kunftig|zukunftig|in zukunft|weiterhin|ab (?:jetzt|sofort)|immer|nur|kein(?:e|en)?|nicht|statt|ohne|darauf achten|lieber|desormais|dorenavant|a l'avenir|plutot|au lieu|toujours|eviter|garder|rester|ne (?:pas|plus|jamais)|siempre|en adelante|a partir de ahora|en vez|en lugar|mejor|evitar|mantener|dejar de|no) /;

/** Words of a question that asks for an answer, not for a lasting change. */
const ASKING =
  / (?:explain|tell|show|why|how|what|which|where|see|find out|check|erklaren|sagen|zeigen|warum|wie|wieso|nachsehen|schauen|expliquer|m'expliquer|dire|montrer|pourquoi|comment|explicar|explicarme|decir|decirme|mostrar|mirar|por que|como) (?:\S+ )/;

/** Matches a sentence after a question that says that the answer is unknown. The question is then always kept. */
const UNANSWERED =
  /^ [.] (?:\S+ ){0,3}(?:no (?:idea|clue)|not sure(?: yet)?|don't know(?: yet)?|(?:keine ahnung|weiss (?:ich|noch))|(?:ich )?weiss (?:es )?(?:noch )?nicht|aucune idee|je ne sais pas|je sais pas|ni idea|no lo se|no se|(?:need|have) to (?:ask|check|clarify)|(?:still|yet) (?:open|to)|(?:nobody|no one) (?:\S+ )?(?:answered|knows|knew)|noch offen|a voir|por ver) /;

/**
 * Finds the constraints, decisions and questions. Each line of a sentence is one fact. The items of a list get the kind
 * of the list's introduction ("Rules:"). Other sentences become statements if the user wrote them (`isSaid`).
 */
export function sentenceFacts(lines: readonly Line[], isSaid: (at: number) => boolean): FoundFact[] {
  const found: FoundFact[] = [];
  let introduced: FoundKind | null = null;
  for (const sentence of sentencesOf(lines)) {
    const text = sentenceText(sentence);
    const words = plainSentence(text);
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

function linesAs(kind: FoundKind, { pieces }: Sentence): FoundFact[] {
  return pieces.map(({ text, at }) => ({ kind, text, at }));
}

function statementIn({ pieces, isHeading }: Sentence, text: string, words: string, isSaid: (at: number) => boolean): FoundFact[] {
  const at = pieces[0]?.at ?? 0;
  return !isHeading && isSaid(at) && isStatement(text, words) ? [{ kind: 'statement', text, at }] : [];
}

/**
 * Turns the question before a sentence such as "no idea yet" into an open question. The fact includes that sentence,
 * because nothing else shows later summaries that the question is open.
 */
function keepOpen(found: FoundFact[], { pieces: [answer] }: Sentence): void {
  const asked = found.at(-1);
  if (asked?.kind === 'plain-question' && answer !== undefined && answer.at === asked.at + asked.text.length + 1) {
    found[found.length - 1] = { ...asked, kind: 'question', text: `${asked.text} ${answer.text}` };
  }
}

function kindOf(words: string): FoundKind | null {
  if (/ \? (?:[)!] )*$/.test(words)) {
    return isRequest(words) ? 'constraint' : hasCue('question', words) ? 'question' : 'plain-question';
  }
  return KINDS.find((kind) => hasCue(kind, words)) ?? null;
}

function isRequest(words: string): boolean {
  return REQUEST.test(words) && (LASTING.test(words) || hasCue('constraint', words)) && !ASKING.test(words);
}

function introducedBy(sentence: Sentence, text: string, words: string): SentenceKind | null {
  if (text.length > LONGEST_HEADING || !(sentence.isHeading || isIntroduction(words))) {
    return null;
  }
  const said = words.split(' ');
  return KINDS.find((kind) => said.some((word) => HEADINGS[kind].has(word))) ?? null;
}

function isIntroduction(words: string): boolean {
  return words.endsWith(' : ');
}
