import { isConversation, messageTexts, type SentMessage } from '../../chat/message/message.js';
import type { Pause } from '../../ports.js';
import { errorFacts } from '../errors.js';
import type { Fact, Found } from '../fact.js';
import { figureFacts } from './figures.js';
import { comparedForm } from './keptIn.js';
import { linesOf, type Line } from './lines.js';
import { codeSpansOf, isPath, pathFacts } from './paths.js';
import { sentenceFacts } from './sentenceFacts.js';

/*
 * What must survive of one message. It favours recall: a line too many costs some tokens, a lost constraint costs the
 * user's trust. All patterns are linear in their text, and all texts are bounded.
 */

/** Of a longer text the first and last half of this are read: a person writes less, and the wish stands before or after what was pasted. */
const LONGEST_READ = 1_000_000;

/** What a longer text of the user has between its first and last characters is mostly pasted, and states nothing of the user's. */
const MOST_SAID = 1_000;

/** Of a tool result only the beginning is read: the call can be made again, and most of a result is file content. */
const READ_OF_RESULT = 4_000;

/** Characters of lines that are read between two pauses: some milliseconds. */
const READ_AT_ONCE = 8_000;

/** Longer spans are code, not names. */
const LONGEST_IDENTIFIER = 80;

const IDENTIFIER = /^[@#$.-]{0,2}[\p{L}_][\p{L}\p{N}_$.:#<>[\]@/-]+(?:[!?]|\([^()\n]*\))?$/u;

/** Words that are the same in every program. */
const LITERALS = new Set(
  'true false null undefined this self none nil void const let var function class return if else for while'.split(' '),
);

/** A fact of a message, before it is known whether an earlier one has it. */
export interface MessageFact extends Fact {
  /** The same number means the same fact: in two messages, too. */
  readonly number: number;
  /** Whether only its mark tells that it is a question. It is open only while it is recent. */
  readonly isPlainQuestion: boolean;
}

/**
 * The facts of messages, each message read once. To read a message takes a thousand times as long as to look its facts up,
 * so messages are read as they arrive, and a compaction only brings together what is known.
 */
export class MessageFacts {
  /** By kind and form. */
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<SentMessage, readonly MessageFact[]>();

  /** In the order of the message's text. */
  of(message: SentMessage): readonly MessageFact[] {
    const known = this.#known.get(message);
    if (known !== undefined) {
      return known;
    }
    const read = [...foundIn(message)].flatMap((part) => this.#facts(part, message));
    this.#known.set(message, read);
    return read;
  }

  /** The work of `of` ahead, with a pause behind each part of a long message. */
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

  #facts(found: readonly Found[], message: SentMessage): MessageFact[] {
    return found.map((each) => this.#fact(each, message));
  }

  #fact({ kind: found, text }: Found, { id: messageId, role }: SentMessage): MessageFact {
    const kind = found === 'plain-question' ? 'question' : found;
    const form = comparedForm(kind, text);
    const key = `${kind}:${form.word}`;
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return { kind, text, form, messageId, isOfUser: role === 'user', number, isPlainQuestion: found === 'plain-question' };
  }

  /** One more than the highest number of a fact. */
  get size(): number {
    return this.#numbers.size;
  }

  has(message: SentMessage): boolean {
    return this.#known.has(message);
  }
}

/** What is found in a message, part by part. */
function* foundIn(message: SentMessage): Generator<readonly Found[], void> {
  for (const text of messageTexts(message)) {
    if (isConversation(message)) {
      yield* foundInText(text, message.role === 'user');
    } else {
      yield foundInResult(text);
    }
  }
}

function* foundInText(text: string, isOfUser: boolean): Generator<readonly Found[], void> {
  for (const part of readOf(text)) {
    const isSaid = (at: number): boolean => isOfUser && (at < MOST_SAID || at > part.length - MOST_SAID);
    for (const lines of sections(linesOf(part).flatMap(shortLines))) {
      const errors = errorFacts(lines);
      const sentences = sentenceFacts(lines, isSaid).filter((found) => !isError(found, errors));
      yield inOrder([...sentences, ...errors, ...pathFacts(lines), ...figureFacts(lines), ...identifierFacts(lines)]);
    }
  }
}

/** A line as lines of at most `READ_AT_ONCE` characters, which end behind a sentence or at least a word where there is one. */
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

/** The begin of a line that what stands before an empty line says nothing about: of no list, and no further paragraph of an item. */
const BEGINS_ANEW = /^(?![-*+•–]|\d{1,9}[.)])\S/;

/**
 * The lines in sections of about `READ_AT_ONCE` characters. They end behind an empty line where something new begins, so that they say
 * what all lines together say: the items of a list are what its introduction is. What goes on for twice as long is cut.
 */
function sections(lines: readonly Line[]): Line[][] {
  const found: Line[][] = [[]];
  let begin = 0;
  for (const [index, line] of lines.entries()) {
    found.at(-1)?.push(line);
    const length = line.at + line.text.length - begin;
    const isEnd = line.text.trim() === '' && BEGINS_ANEW.test(lines[index + 1]?.text ?? '');
    if (length > 2 * READ_AT_ONCE || (length > READ_AT_ONCE && isEnd)) {
      found.push([]);
      begin = line.at + line.text.length;
    }
  }
  return found;
}

/** Whether a statement adds little to an error. */
function isError({ kind, text }: Found, errors: readonly Found[]): boolean {
  return kind === 'statement' && errors.some((error) => error.text.length * 2 > text.length && text.includes(error.text));
}

/** The names in code spans: of functions (without their empty parentheses), types, options, packages, variables. */
function identifierFacts(lines: readonly Line[]): Found[] {
  return lines
    .filter((line) => !line.isCode)
    .flatMap((line) => codeSpansOf(line))
    .map(({ text, at }) => ({ kind: 'identifier' as const, text: text.endsWith('()') ? text.slice(0, -2) : text, at }))
    .filter(
      ({ text }) => text.length <= LONGEST_IDENTIFIER && IDENTIFIER.test(text) && !LITERALS.has(text.toLowerCase()) && !isPath(text, true),
    );
}

function foundInResult(text: string): Found[] {
  const lines = linesOf(text.slice(0, READ_OF_RESULT));
  return inOrder([...errorFacts(lines), ...pathFacts(lines)]);
}

function inOrder(found: Found[]): Found[] {
  return found.sort((a, b) => a.at - b.at);
}

/** The parts of a text that are read. The last part begins with a line, or else a word, that is whole. */
function readOf(text: string): string[] {
  if (text.length <= LONGEST_READ) {
    return [text];
  }
  const last = text.slice(-LONGEST_READ / 2);
  const start = last.search(/\s/);
  return [text.slice(0, LONGEST_READ / 2), ...(start === -1 ? [] : [last.slice(start)])];
}
