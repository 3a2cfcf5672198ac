import type { SearchRole } from '../../engine/chat/message/said.js';
import { betweenPoints } from '../../engine/chat/message/textBegin.js';
import type { SearchableText } from './searchTexts.js';

export interface SearchHit {
  readonly chatId: string;
  /** The id of the message. For a reply without a message: the id of the attempt. Null for a title. */
  readonly messageId: string | null;
  readonly role: SearchRole;
  /** The time of the message in epoch milliseconds. */
  readonly timestamp: number;
  /** One line of text around a match. White space becomes spaces; `…` marks an end where the text continues. */
  readonly excerpt: string;
  /** Offset of the match in `excerpt`, in UTF-16 units. */
  readonly matchStart: number;
  /** The length of the match within `excerpt`, in UTF-16 units. */
  readonly matchLength: number;
}

/** The length of an excerpt in characters: enough to recognise a message in one line of a list. */
const EXCERPT_LENGTH = 100;
/** Maximum number of characters of an excerpt before the match. */
const LEAD_LENGTH = 30;

interface SearchedMatch {
  readonly said: SearchableText;
  readonly text: string;
  readonly index: number;
}

export interface HitOptions {
  /** The role of messages to find; null for all roles. */
  readonly role: SearchRole | null;
  /** Maximum number of hits to return, at least 1. */
  readonly limit: number;
}

/** Collects the newest matches, at most `limit`: one for each message, reply or title. */
export class Hits {
  readonly #pattern: SearchPattern;
  readonly #options: HitOptions;
  readonly #found: SearchedMatch[] = [];

  constructor(pattern: SearchPattern, options: HitOptions) {
    this.#pattern = pattern;
    this.#options = options;
  }

  /** Whether a text of time `at` could still be one of the newest matches. */
  canTake(at: number): boolean {
    const oldest = this.#found[this.#options.limit - 1];
    return oldest === undefined || at >= oldest.said.at;
  }

  add(said: SearchableText): void {
    const { limit } = this.#options;
    const found = this.#match(said);
    if (found === null) {
      return;
    }
    const same = this.#found.findIndex((other) => isSame(other.said, said));
    if (same !== -1) {
      if (!isReply(this.#found[same]?.said) || !isReply(said) || said.key === said.attemptId) {
        return;
      }
      // The message replaces the hit for the running reply, which became this message.
      this.#found.splice(same, 1);
    }
    const place = this.#found.findIndex((other) => newestFirst(said, other.said) < 0);
    this.#found.splice(place === -1 ? this.#found.length : place, 0, found);
    this.#found.splice(limit);
  }

  list(): SearchHit[] {
    return this.#found.map(({ said: { chatId, messageId, role, at }, text, index }) => ({
      chatId,
      messageId,
      role,
      timestamp: at,
      ...excerpt(text, index, this.#pattern.length),
    }));
  }

  #match(said: SearchableText): SearchedMatch | null {
    const { role } = this.#options;
    if (role !== null && said.role !== role) {
      return null;
    }
    for (const text of said.texts) {
      const index = text.search(this.#pattern.inText);
      if (index !== -1) {
        return { said, text, index };
      }
    }
    return null;
  }
}

function isReply(said: SearchableText | undefined): boolean {
  return said !== undefined && said.attemptId !== null;
}

function isSame(a: SearchableText, b: SearchableText): boolean {
  return a.chatId === b.chatId && (a.key === b.key || (a.attemptId !== null && a.attemptId === b.attemptId));
}

/** Compares by time, because chats have no common order. Texts of the same time are in log order. */
export function newestFirst(a: SearchableText, b: SearchableText): number {
  if (a.at !== b.at) {
    return b.at - a.at;
  }
  if (a.seq !== b.seq) {
    return b.seq - a.seq;
  }
  const [keyA, keyB] = [`${a.chatId} ${a.key}`, `${b.chatId} ${b.key}`];
  return keyA === keyB ? 0 : keyA < keyB ? 1 : -1;
}

/** Returns the text around a match of `length` UTF-16 units at `index`. */
export function excerpt(text: string, index: number, length: number): Pick<SearchHit, 'excerpt' | 'matchStart' | 'matchLength'> {
  const from = betweenPoints(text, Math.max(0, index - LEAD_LENGTH));
  const to = betweenPoints(text, Math.min(text.length, Math.max(from + EXCERPT_LENGTH, index + 1)));
  const before = from > 0 ? '…' : '';
  const after = to < text.length ? '…' : '';
  const line = text.slice(from, to).replace(/\s/g, ' ');
  return { excerpt: before + line + after, matchStart: before.length + index - from, matchLength: Math.min(length, to - index) };
}

/*
 * The search ignores case like the flag `i` without `u` in JavaScript's regular expressions. It compares the simple
 * upper case of each UTF-16 unit, and an ASCII letter equals ASCII letters only. So é = É and σ = ς = Σ, but ß ≠ ss,
 * and neither ı nor the Kelvin sign equals an ASCII letter. A match is as long as the query.
 */

export interface SearchPattern {
  readonly inText: RegExp;
  /** Finds all lines that can match, and some others. `inText` then searches the text of a found line. */
  readonly inLines: RegExp;
  /** The encoding in which to read lines. For an ASCII query, lines need no decoding of UTF-8. */
  readonly encoding: 'latin1' | 'utf8';
  /** The length of each match, in UTF-16 units. */
  readonly length: number;
}

/** `query` must not be empty. */
export function searchPattern(query: string): SearchPattern {
  // A lone surrogate in the query also matches half of a pair. JSON escapes a lone surrogate, but not half of a pair.
  const written = escaped(JSON.stringify(query).slice(1, -1)).replace(/\\\\(ud[89a-f][0-9a-f]{2})/g, String.raw`(?:\\$1|\$1)`);
  return {
    inText: new RegExp(escaped(query), 'i'),
    inLines: new RegExp(written, 'gi'),
    encoding: Buffer.byteLength(query) === query.length ? 'latin1' : 'utf8',
    length: query.length,
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
