import { errorsIn } from './errorsIn.js';

/** What stands in place of a key. */
const REPLACEMENT = '[key]';

/** Shorter than this, a key is replaced only where it stands alone: as a part of words it would destroy every text. */
const SHORTEST_PART = 4;

/** So many first or last characters of the key make a masked word an echo of it. */
const ECHO_LENGTH = 4;

/** So many first characters of the key make a word an echo of it that was cut, even without a mask. */
const CUT_LENGTH = 6;

/** Shorter than this, the Base64 form of a key says too little to be looked for. */
const SHORTEST_ENCODED = 6;

/** What servers put in place of the characters that they hide. */
const MASK = /[*•·…]|\.{3}|#{3}|[xX]{4}/;

/** A word that may be a key, masked or not. */
const WORD = /[^\s"'`<>(){}[\],;&]+/g;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * A text in which every trace of the key is replaced: the key itself, its URL and Base64 forms, and what is left of
 * it in echoes that servers mask or cut (`sk-a***xyz`). A key of fewer than 4 characters is replaced only where it
 * stands alone; an empty one nowhere.
 */
export function redact(text: string, key: string | null): string {
  const secret = key?.trim() ?? '';
  if (secret === '') {
    return text;
  }
  if (secret.length < SHORTEST_PART) {
    return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(secret)}(?![\\p{L}\\p{N}])`, 'gu'), REPLACEMENT);
  }
  const cleaned = formsOf(secret).reduce((before, form) => before.replaceAll(form, REPLACEMENT), text);
  // Word by word, so that the time is linear: the text comes from a server, and may be made to be slow.
  return cleaned.replace(WORD, (word) => withoutTail(withoutHead(word, secret), secret));
}

/** The key as servers and logs may write it, longest form first, since one may hold another. */
function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    json,
    // As PHP and other servers write a slash.
    json.replaceAll('/', '\\/'),
    ...base64Forms(secret),
  ];
  return [...new Set(forms)].sort((first, second) => second.length - first.length);
}

/** Base64 takes three bytes at a time: what stands before the key decides which of three forms it has, but for its ends. */
function base64Forms(secret: string): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + secret);
    const [first, end] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
    return [bytes.toString('base64').slice(first, end), bytes.toString('base64url').slice(first, end)];
  });
  return forms.filter(({ length }) => length >= SHORTEST_ENCODED);
}

/** A word from where it begins like the key, when it hides the rest of it or goes on as the key does. */
function withoutHead(word: string, secret: string): string {
  const start = standing(word, secret.slice(0, ECHO_LENGTH), (at) => word[at - 1]);
  const echo = word.slice(start ?? word.length);
  return MASK.test(echo) || echo.startsWith(secret.slice(0, CUT_LENGTH))
    ? `${word.slice(0, start ?? 0)}${REPLACEMENT}${sentenceEnd(word)}`
    : word;
}

/** A word up to where it ends like the key, when a mask stands before that. */
function withoutTail(word: string, secret: string): string {
  const tail = secret.slice(-ECHO_LENGTH);
  const mask = MASK.exec(word)?.index ?? word.length;
  const start = standing(word.slice(mask), tail, (at) => word[mask + at + tail.length]);
  return start === null ? word : `${word.slice(0, mask)}${REPLACEMENT}${word.slice(mask + start + tail.length)}`;
}

/** Where a part first occurs in a word with nothing of a word at its side; null where it does not. */
function standing(word: string, part: string, sideOf: (at: number) => string | undefined): number | null {
  for (let at = word.indexOf(part); at !== -1; at = word.indexOf(part, at + 1)) {
    if (!LETTER_OR_DIGIT.test(sideOf(at) ?? '')) {
      return at;
    }
  }
  return null;
}

/** A full stop behind a word ends the sentence; three are a mask. */
function sentenceEnd(word: string): string {
  return /(?<!\.)[.:!?]$/.exec(word)?.[0] ?? '';
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * The same error with its causes, but no key in any message. What is no error becomes the text that it gives; null
 * and undefined stay no cause at all.
 */
export function redactedCause(thrown: unknown, key: string | null): unknown {
  const isClean = errorsIn(thrown).every(({ message }) => redact(message, key) === message);
  if (thrown instanceof Error) {
    return isClean ? thrown : copyOf(thrown, key, new Map());
  }
  return typeof thrown === 'string' ? redact(thrown, key) : thrown;
}

function copyOf(error: Error, key: string | null, copies: Map<Error, Error>): Error {
  const known = copies.get(error);
  if (known !== undefined) {
    return known;
  }
  const message = redact(error.message, key);
  const copy = error instanceof AggregateError ? new AggregateError([], message) : new Error(message);
  copies.set(error, copy);
  copy.name = error.name;
  const copyAny = (part: unknown): unknown => (part instanceof Error ? copyOf(part, key, copies) : redactedCause(part, key));
  if (error.cause !== undefined) {
    copy.cause = copyAny(error.cause);
  }
  if (error instanceof AggregateError && copy instanceof AggregateError) {
    copy.errors = error.errors.map(copyAny);
  }
  return copy;
}
