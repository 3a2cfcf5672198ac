import { type SentMessage, isConversation, messageTexts } from '../../chat/message/message.js';
import type { Pause } from '../../ports.js';
import { errorFacts } from '../errors.js';
import type { Fact, FoundFact } from '../fact.js';
import { comparedForm } from './keptIn.js';
import { type Line, linesOf } from './lines.js';
import { codeSpansOf, isPath, pathFacts } from './paths.js';
import { sentenceFacts } from './sentenceFacts.js';

/** Maximum number of characters of a number in a figure. Longer numbers are data. */
const LONGEST_NUMBER = 24;

const NUMBER = /\d[\d.,]*/g;
const CURRENCY_BEFORE = /(?:US\$|[$€£¥])\s?$/;

/** Units that must match in case: MB is not mb, and s is not S. */
const SYMBOLS =
  'ms s sec secs min mins h hr hrs ns µs μs us B kB KB MB GB TB kb Mb Gb KiB MiB GiB TiB Mo Go Ko Mbit kbit px em rem pt dpi fps rpm Hz kHz MHz GHz °C °F W kW V mV A mA m km cm mm kg g mg l ml Mio Gio Kio dB dBm rps qps tps req ops mol mmHg bar mbar Pa hPa kPa MPa N Nm J kJ kcal ppm lx lm K mAh Ah Wh kWh MW GW µA mW µm nm kΩ Ω µF cl dl ha USD EUR GBP CHF € $ £ % ‰'.split(
    ' ',
  );
const NAMES =
  'event frame packet sample pixel volt watt ampere degree meter metre kilometer gram grad gramm liter litre degré mètre gramme grado metro gramo second minute hour day week month year byte bit token line character char request row column message user connection thread worker core retrie retry percent dollar euro cent sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate jahr jahre zeichen zeile zeilen prozent anfragen nachrichten seconde heure jour semaine mois an ans queries année ligne caractère octet requête segundo minuto hora día semana mes meses año línea carácter caracteres solicitude'.split(
    ' ',
  );
const UNITS = new Set([...SYMBOLS, ...NAMES, ...NAMES.map((name) => `${name}s`)]);

/** The unit after a number, with an optional "per" unit such as "/s". `^`: only directly after the number. */
const UNIT = /^[ \u00A0\u202F-]?([\p{L}µμΩ]{1,12}|°[CF]|[%‰€$£])(?![\p{L}\p{N}_])(\/(?:[\p{L}]{1,8})(?![\p{L}\p{N}_]))?/u;

const LONGEST_UNIT = 24;

/** Returns the numbers with a unit or a currency, outside code blocks. */
function figureFacts(lines: readonly Line[]): FoundFact[] {
  return lines.filter((line) => !line.isCode).flatMap(figuresOf);
}

function figuresOf({ text, at }: Line): FoundFact[] {
  return [...text.matchAll(NUMBER)].flatMap((match) => {
    const figure = figureAt(text, match.index, match[0].replace(/[.,]$/, ''));
    return figure === null ? [] : [{ kind: 'figure', text: text.slice(figure.start, figure.end), at: at + figure.start } as const];
  });
}

/** Returns the bounds of a number with its unit or currency. Null without both, in a word, or for a long number. */
function figureAt(text: string, index: number, number: string): { readonly start: number; readonly end: number } | null {
  const before = text.slice(Math.max(0, index - 4), index);
  const after = text.slice(index + number.length, index + number.length + LONGEST_UNIT);
  const currency = CURRENCY_BEFORE.exec(before)?.[0] ?? '';
  const isPartOfWord = currency === '' && /[\p{L}\p{N}_.,#$]$/u.test(before);
  const unit = unitOf(after);
  if (number.length > LONGEST_NUMBER || isPartOfWord || (unit === '' && !isPrice(currency, number, after))) {
    return null;
  }
  return { start: index - currency.length, end: index + number.length + unit.length };
}

function unitOf(text: string): string {
  const unit = UNIT.exec(text);
  const name = unit?.[1] ?? '';
  return unit !== null && UNITS.has(SYMBOLS.includes(name) ? name : name.toLowerCase()) ? unit[0] : '';
}

/** Whether a number with a currency is a price. "$1" is usually a variable of a shell or a pattern. */
function isPrice(currency: string, number: string, after: string): boolean {
  return currency !== '' && (number.length > 1 || !currency.endsWith('$')) && !/^[\p{L}\p{N}_]/u.test(after);
}

/*
 * Finds the facts of one message. Prefers too many facts to too few: an extra line costs some tokens, a lost constraint
 * costs trust. All patterns take linear time, and all texts have a maximum length.
 */

/** Maximum characters to read of a text, half at each end. The text between is usually pasted. */
const LONGEST_READ = 1_000_000;

/** Number of characters at each end of a user text to search for statements. The text between is usually pasted. */
const MOST_SAID = 1_000;

/** Number of characters read of a tool result. Most results are file contents, and the model can repeat the call. */
const READ_OF_RESULT = 4_000;

/** Number of characters to read between two pauses. Reading them takes some milliseconds. */
const READ_AT_ONCE = 8_000;

/** Maximum number of characters of an identifier in a code span. Longer spans are code. */
const LONGEST_IDENTIFIER = 80;

const IDENTIFIER = /^[@#$.-]{0,2}[\p{L}_][\p{L}\p{N}_$.:#<>[\]@/-]+(?:[!?]|\([^()\n]*\))?$/u;

/** Words of programming languages, which name nothing in the user's project. */
const LITERALS = new Set(
  'true false null undefined this self none nil void const let var function class return if else for while'.split(' '),
);

/** A fact in one message. An earlier message can have the same fact. */
export interface MessageFact extends Fact {
  /** Identifies the fact: equal facts have equal numbers, also in different messages. */
  readonly number: number;
  /** Whether only a question mark shows that the fact is a question. Such a fact is kept only if its turn is recent. */
  readonly isPlainQuestion: boolean;
}

/**
 * Finds the facts of messages and reads each message once. Reading takes a thousand times as long as a lookup. So Loupe
 * reads messages as they arrive, and a compaction only collects the results.
 */
export class MessageFacts {
  /** Fact numbers by kind and compared form. */
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<SentMessage, readonly MessageFact[]>();

  of(message: SentMessage): readonly MessageFact[] {
    const known = this.#known.get(message);
    if (known !== undefined) {
      return known;
    }
    const read = [...foundIn(message)].flatMap((part) => this.#facts(part, message));
    this.#known.set(message, read);
    return read;
  }

  /** Does the work of `of` in advance, with a pause after each part of a long message. */
  async read(message: SentMessage, pause: Pause): Promise<void> {
    if (this.has(message)) {
      return;
    }
    const read: MessageFact[] = [];
    for (const part of foundIn(message)) {
      read.push(...this.#facts(part, message));
      await pause();
    }
    this.#known.set(message, read);
  }

  #facts(found: readonly FoundFact[], message: SentMessage): MessageFact[] {
    return found.map((each) => this.#fact(each, message));
  }

  #fact({ kind: found, text }: FoundFact, { id: messageId, role }: SentMessage): MessageFact {
    const kind = found === 'plain-question' ? 'question' : found;
    const form = comparedForm(kind, text);
    const key = `${kind}:${form.word}`;
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return { kind, text, form, messageId, isOfUser: role === 'user', number, isPlainQuestion: found === 'plain-question' };
  }

  /** Number of different facts so far. Each fact number is smaller than this. */
  get size(): number {
    return this.#numbers.size;
  }

  has(message: SentMessage): boolean {
    return this.#known.has(message);
  }
}

function* foundIn(message: SentMessage): Generator<readonly FoundFact[], void> {
  for (const text of messageTexts(message)) {
    if (isConversation(message)) {
      yield* foundInText(text, message.role === 'user');
    } else {
      yield foundInResult(text);
    }
  }
}

function* foundInText(text: string, isOfUser: boolean): Generator<readonly FoundFact[], void> {
  for (const part of readOf(text)) {
    const isSaid = (at: number): boolean => isOfUser && (at < MOST_SAID || at > part.length - MOST_SAID);
    for (const lines of sections(linesOf(part).flatMap(shortLines))) {
      const errors = errorFacts(lines);
      const sentences = sentenceFacts(lines, isSaid).filter((found) => !isError(found, errors));
      yield inOrder([...sentences, ...errors, ...pathFacts(lines), ...figureFacts(lines), ...identifierFacts(lines)]);
    }
  }
}

/** Divides a line into lines of at most `READ_AT_ONCE` characters, at the end of a sentence or else of a word. */
function shortLines({ text, at, isCode }: Line): Line[] {
  const lines: Line[] = [];
  let begin = 0;
  while (text.length - begin > READ_AT_ONCE) {
    const window = text.slice(begin, begin + READ_AT_ONCE);
    const ends = [window.lastIndexOf('. ') + 1, window.lastIndexOf(' ') + 1, READ_AT_ONCE];
    const length = ends.find((end) => end > 0) ?? READ_AT_ONCE;
    lines.push({ text: window.slice(0, length), at: at + begin, isCode });
    begin += length;
  }
  return [...lines, { text: text.slice(begin), at: at + begin, isCode }];
}

/** Matches a line that begins a new topic after an empty line. Such a line is no list item and is not indented. */
const TOPIC_START = /^(?![-*+•–]|\d{1,9}[.)])\S/;

/**
 * Divides lines into sections of about `READ_AT_ONCE` characters, at empty lines before a new topic. So a list and its
 * introduction are in one section. A section of twice that length is cut after any line.
 */
function sections(lines: readonly Line[]): Line[][] {
  const found: Line[][] = [[]];
  let begin = 0;
  for (const [index, line] of lines.entries()) {
    found.at(-1)?.push(line);
    const length = line.at + line.text.length - begin;
    const isEnd = line.text.trim() === '' && TOPIC_START.test(lines[index + 1]?.text ?? '');
    if (length > 2 * READ_AT_ONCE || (length > READ_AT_ONCE && isEnd)) {
      found.push([]);
      begin = line.at + line.text.length;
    }
  }
  return found;
}

/** Whether a statement is mostly the text of an error. */
function isError({ kind, text }: FoundFact, errors: readonly FoundFact[]): boolean {
  return kind === 'statement' && errors.some((error) => error.text.length * 2 > text.length && text.includes(error.text));
}

/** Returns the names in code spans: functions (without empty parentheses), types, options, packages, variables. */
function identifierFacts(lines: readonly Line[]): FoundFact[] {
  return lines
    .filter((line) => !line.isCode)
    .flatMap((line) => codeSpansOf(line))
    .map(({ text, at }) => ({ kind: 'identifier' as const, text: text.endsWith('()') ? text.slice(0, -2) : text, at }))
    .filter(
      ({ text }) => text.length <= LONGEST_IDENTIFIER && IDENTIFIER.test(text) && !LITERALS.has(text.toLowerCase()) && !isPath(text, true),
    );
}

function foundInResult(text: string): FoundFact[] {
  const lines = linesOf(text.slice(0, READ_OF_RESULT));
  return inOrder([...errorFacts(lines), ...pathFacts(lines)]);
}

function inOrder(found: FoundFact[]): FoundFact[] {
  return found.sort((a, b) => a.at - b.at);
}

/** Returns the parts of a text in which facts are searched. The last part begins with a whole line or word. */
function readOf(text: string): string[] {
  if (text.length <= LONGEST_READ) {
    return [text];
  }
  const last = text.slice(-LONGEST_READ / 2);
  const start = last.search(/\s/);
  return [text.slice(0, LONGEST_READ / 2), ...(start === -1 ? [] : [last.slice(start)])];
}
