import { isConversation, messageTexts, type SentMessage } from '../../chat/message/message.js';
import type { Pause } from '../../ports.js';
import { errorFacts } from '../errors.js';
import type { Fact, FoundFact } from '../fact.js';
import { figureFacts } from './figures.js';
import { comparedForm } from './keptIn.js';
import { linesOf, type Line } from './lines.js';
import { codeSpansOf, isPath, pathFacts } from './paths.js';
import { sentenceFacts } from './sentenceFacts.js';

/*
 * Finds the facts of one message. Favours recall: an extra line costs some tokens, a lost constraint costs trust. All
 * patterns are linear in their text, and all texts are bounded.
 */

/** Longer texts are read as their first and last half: the actual request is before or after pasted text. */
const LONGEST_READ = 1_000_000;

/** Characters at both ends of a user text that may hold statements. The text between them is usually pasted. */
const MOST_SAID = 1_000;

/** Characters read of a tool result. The call can be repeated, and most results are file content. */
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

/** A fact of a message, new or known. */
export interface MessageFact extends Fact {
  /** Equal numbers mean equal facts, also in different messages. */
  readonly number: number;
  /** Whether only its question mark shows that it is a question. Such a question is open only while it is recent. */
  readonly isPlainQuestion: boolean;
}

/**
 * Finds the facts of messages and reads each message once. Reading takes a thousand times as long as a lookup. So
 * messages are read as they arrive, and a compaction only collects the results.
 */
export class MessageFacts {
  /** By kind and form. */
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

  /** One more than the highest number of a fact. */
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

/** A line that begins a new topic after an empty line: no list item, no further paragraph of an item. */
const TOPIC_START = /^(?![-*+•–]|\d{1,9}[.)])\S/;

/**
 * Divides lines into sections of about `READ_AT_ONCE` characters, at empty lines before a new topic. So a list stays
 * with its introduction. A section of twice that length is cut anywhere.
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

/** Returns the parts of a text that are read. The last part begins with a whole line or word. */
function readOf(text: string): string[] {
  if (text.length <= LONGEST_READ) {
    return [text];
  }
  const last = text.slice(-LONGEST_READ / 2);
  const start = last.search(/\s/);
  return [text.slice(0, LONGEST_READ / 2), ...(start === -1 ? [] : [last.slice(start)])];
}
