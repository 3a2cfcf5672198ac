import type { HeaderPairs } from '../../engine/model/httpExchange.js';

const MASKED = '[masked]';

/** Parts of header and parameter names with secret values, such as `api-key` or `set-cookie`. */
const SECRET_NAME = /auth|cookie|credential|key|passw|secret|session|signature|token/i;

/** Names of public values that look like names of secrets: limits (`x-ratelimit-remaining-tokens`), refused logins. */
const OPEN_NAME = /limit|^(?:www|proxy)-authenticate$/i;

/** Maximum number of headers to keep, and of characters in a value: the log stores the headers with each request. */
const MOST_HEADERS = 100;
const LONGEST_VALUE = 1_000;

/** Returns the headers to store with a request, without the key and other values that may be secret. */
export function maskedHeaders(headers: Headers, key: string | null): HeaderPairs {
  return [...headers].slice(0, MOST_HEADERS).map(([name, value]) => [name, masked(name, value, key).slice(0, LONGEST_VALUE)]);
}

/** Returns the address to store with a request, without the key and parameter values that may be secret. */
export function maskedAddress(address: string, key: string | null): string {
  const { origin, pathname, searchParams } = new URL(address);
  const parameters = [...searchParams].map(([name, value]) => `${name}=${masked(name, value, key)}`).join('&');
  return `${origin}${redact(pathname, key)}${parameters === '' ? '' : `?${parameters}`}`.slice(0, LONGEST_VALUE);
}

function masked(name: string, value: string, key: string | null): string {
  const redacted = redact(value, key);
  return redacted === value && isSecretName(name) ? MASKED : redacted;
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !OPEN_NAME.test(name);
}

const REPLACEMENT = '[key]';

/** Minimum length of a key that Loupe also replaces inside words. Shorter keys are parts of many ordinary words. */
const SHORTEST_PART = 4;

/** Number of first or last characters of the key that make a masked word (`sk-a***`) a copy of the key. */
const ECHO_LENGTH = 4;

/** Number of consecutive characters of the key that make a word a partial copy of the key. */
const PART_LENGTH = 8;

/** Number of first characters of the key that make a word a cut copy of the key, even without a mask. */
const CUT_LENGTH = 6;

/** Minimum length of a Base64 form of the key. Shorter forms would match too many other texts. */
const SHORTEST_ENCODED = 6;

const MASK = /[*•·…]|\.{3}|#{3}|[xX]{4}/;

/** A word that may be the key or a masked copy of it. */
const WORD = /[^\s"'`<>(){}[\],;&]+/g;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Replaces all traces of the key: the key in any case and across line breaks, its URL, JSON, HTML, hex and Base64
 * forms, and masked or cut copies (`sk-a***xyz`). Replaces a key of fewer than 4 characters only as a whole word.
 * Returns the text unchanged when the key is empty.
 */
export function redact(text: string, key: string | null): string {
  const secret = key?.trim() ?? '';
  if (secret === '') {
    return text;
  }
  if (secret.length < SHORTEST_PART) {
    return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(secret)}(?![\\p{L}\\p{N}])`, 'gu'), REPLACEMENT);
  }
  const cleaned = base64Forms(secret).reduce((before, form) => before.replaceAll(form, REPLACEMENT), withoutForms(text, secret));
  // Searches word by word, in linear time. A server could send a text that makes a slower search hang.
  const [folded, parts] = [lower(secret), partsOf(lower(secret))];
  return cleaned.replace(WORD, (word) => withoutParts(withoutEnd(withoutTail(withoutHead(word, folded), folded), secret), parts));
}

/** Removes the key from a message that refuses the key. Also replaces each masked word. */
export function redactRefusal(text: string, key: string | null): string {
  return redact(text, key).replace(WORD, (word) => (MASK.test(word) ? `${REPLACEMENT}${sentenceEnd(word)}` : word));
}

/** Replaces the key and its hex form, also with escapes and across line breaks. */
function withoutForms(text: string, secret: string): string {
  const plain = lower(secret);
  const hex = Buffer.from(secret).toString('hex');
  const { folded, spans } = fold(text);
  const unescaped = [plain, fold(secret).folded, hex].flatMap((form) =>
    placesOf(form, folded).map(([from, to]): TextSpan => [spans[from]?.[0] ?? 0, spans[to - 1]?.[1] ?? text.length]),
  );
  // Also searches the raw text, because characters before the key can look like an escape and hide the key.
  return withoutSpans(text, [...unescaped, ...placesOf(plain, lower(text))]);
}

type TextSpan = readonly [from: number, to: number];

/** Matches escapes of URLs, JSON and HTML, and line breaks with the indentation after them. */
const ESCAPE =
  /&#x(?<x>[0-9a-f]{1,4});|&#(?<d>\d{1,5});|&(?<name>amp|lt|gt|quot|apos);|%(?<p>[0-9a-f]{2})|\\u(?<u>[0-9a-f]{4})|\\x(?<b>[0-9a-f]{2})|\\(?<c>["\\/])|(?<break>(?:\\r)?\\n|[\r\n]+[ \t]*)/gi;

const NAMED: ReadonlyMap<string, string> = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Returns a text without escapes and line breaks, in lower case, with the position of each character in the input. */
function fold(text: string): { readonly folded: string; readonly spans: readonly TextSpan[] } {
  const pieces: string[] = [];
  const spans: TextSpan[] = [];
  let at = 0;
  const keep = (to: number): void => {
    pieces.push(text.slice(at, to));
    for (; at < to; at += 1) {
      spans.push([at, at + 1]);
    }
  };
  for (const match of text.matchAll(ESCAPE)) {
    keep(match.index);
    at += match[0].length;
    const meant = escapedCharacter(match.groups ?? {});
    if (meant !== '') {
      pieces.push(meant);
      spans.push([match.index, at]);
    }
  }
  keep(text.length);
  return { folded: lower(pieces.join('')), spans };
}

/** Returns the character that an escape means. '' for a line break. */
function escapedCharacter({ x, d, name, p, u, b, c }: Readonly<Record<string, string | undefined>>): string {
  if (name !== undefined) {
    return NAMED.get(name.toLowerCase()) ?? '';
  }
  const hex = x ?? p ?? u ?? b;
  if (hex !== undefined) {
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
  return d === undefined ? (c ?? '') : String.fromCharCode(Number(d));
}

/** Converts only ASCII letters to lower case, so that positions stay the same. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function placesOf(part: string, text: string): TextSpan[] {
  const places: TextSpan[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    places.push([at, at + part.length]);
  }
  return places;
}

function withoutSpans(text: string, spans: readonly TextSpan[]): string {
  let cleaned = '';
  let at = 0;
  for (const [from, to] of spans.toSorted(([first], [second]) => first - second)) {
    if (from >= at) {
      cleaned += `${text.slice(at, from)}${REPLACEMENT}`;
    }
    at = Math.max(at, to);
  }
  return cleaned + text.slice(at);
}

/**
 * Returns the Base64 forms of a key. Base64 encodes three bytes at a time, so there are three forms, depending on the
 * bytes before the key. Omits the ends of the forms, which depend on the neighboring bytes.
 */
export function base64Forms(secret: string): readonly string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + secret);
    const [first, end] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
    return [bytes.toString('base64').slice(first, end), bytes.toString('base64url').slice(first, end)];
  });
  return forms.filter(({ length }) => length >= SHORTEST_ENCODED);
}

/** Replaces the rest of a word from the place where the key begins, if a mask or more of the key follows. */
function withoutHead(word: string, secret: string): string {
  const start = boundaryOffset(lower(word), secret.slice(0, ECHO_LENGTH), (at) => word[at - 1]);
  const echo = lower(word.slice(start ?? word.length));
  return MASK.test(echo) || echo.startsWith(secret.slice(0, CUT_LENGTH))
    ? `${word.slice(0, start ?? 0)}${REPLACEMENT}${sentenceEnd(word)}`
    : word;
}

/** Replaces the part of a word from the mask to the end of the key. */
function withoutTail(word: string, secret: string): string {
  const tail = secret.slice(-ECHO_LENGTH);
  const mask = MASK.exec(word)?.index ?? word.length;
  const start = boundaryOffset(lower(word.slice(mask)), tail, (at) => word[mask + at + tail.length]);
  return start === null ? word : `${word.slice(0, mask)}${REPLACEMENT}${word.slice(mask + start + tail.length)}`;
}

/** Replaces a word that equals the last characters of the key (4 or more), if the word has a digit or mixed case. */
function withoutEnd(word: string, secret: string): string {
  const end = sentenceEnd(word);
  const said = word.slice(0, word.length - end.length);
  const isEnd = said.length >= ECHO_LENGTH && secret.endsWith(said);
  return isEnd && /\d|[a-z].*[A-Z]|[A-Z].*[a-z]/.test(said) ? `${REPLACEMENT}${end}` : word;
}

/** Returns all sequences of `PART_LENGTH` characters in the key. */
function partsOf(secret: string): ReadonlySet<string> {
  const count = Math.max(0, secret.length - PART_LENGTH + 1);
  return new Set(Array.from({ length: count }, (_, at) => secret.slice(at, at + PART_LENGTH)));
}

/** Replaces a word that contains a part of the key. */
function withoutParts(word: string, parts: ReadonlySet<string>): string {
  const folded = lower(word);
  for (let at = 0; at + PART_LENGTH <= word.length; at += 1) {
    if (parts.has(folded.slice(at, at + PART_LENGTH))) {
      return `${REPLACEMENT}${sentenceEnd(word)}`;
    }
  }
  return word;
}

/** Returns the first offset of `part` without a letter or digit on the given side. Null without such an offset. */
function boundaryOffset(word: string, part: string, sideOf: (at: number) => string | undefined): number | null {
  for (let at = word.indexOf(part); at !== -1; at = word.indexOf(part, at + 1)) {
    if (!LETTER_OR_DIGIT.test(sideOf(at) ?? '')) {
      return at;
    }
  }
  return null;
}

/** Returns the punctuation at the end of a word. Several periods are a mask of a key, not punctuation. */
function sentenceEnd(word: string): string {
  return /(?<!\.)[.:!?]$/.exec(word)?.[0] ?? '';
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Removes the key from an error and its causes: from all texts in them. */
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

/** Returns the errors in a thrown value, outermost first: the error, its causes, parts of an `AggregateError`. */
export function errorsIn(thrown: unknown): Error[] {
  const found = new Set<Error>();
  const collect = (value: unknown): void => {
    if (!(value instanceof Error) || found.has(value)) {
      return;
    }
    found.add(value);
    collect(value.cause);
    if (value instanceof AggregateError) {
      value.errors.forEach(collect);
    }
  };
  collect(thrown);
  return [...found];
}
