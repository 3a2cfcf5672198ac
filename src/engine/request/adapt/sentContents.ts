import type { LocatedResult } from '../gather.js';
import type { SentRequest } from '../layout/situation.js';

/** Prefix of the key of a block that replaces a repeated tool result. */
export const REPEAT = 'repeat:';

export function pointerKey({ messageId, index }: Pick<LocatedResult, 'messageId' | 'index'>): string {
  return `${REPEAT}${messageId}/${String(index)}`;
}

/** What the last request has, and what later requests keep because it may be cached. */
export interface SentContents {
  /** Keys of the tool results in full. */
  readonly inFull: ReadonlySet<string>;
  /** The tokens of the pointers, by key. */
  readonly pointers: ReadonlyMap<string, number>;
  /** Hashes of the copies and changes of context items. */
  readonly items: ReadonlySet<string>;
}

export const NOTHING_SENT_BEFORE: SentContents = { inFull: new Set(), pointers: new Map(), items: new Set() };

const SENT_CONTENTS = new WeakMap<SentRequest['blocks'], SentContents>();

/** Returns what the last request to the same model has. */
export function sentContents(last: SentRequest | null): SentContents {
  if (last?.isSameModel !== true) {
    return NOTHING_SENT_BEFORE;
  }
  const { blocks } = last;
  const found = SENT_CONTENTS.get(blocks) ?? {
    inFull: new Set(blocks.flatMap(({ key, role, source }) => (role === 'tool-results' && source.from === 'message' ? [key] : []))),
    pointers: new Map(blocks.flatMap(({ key, tokens }) => (key.startsWith(REPEAT) ? [[key, tokens]] : []))),
    items: new Set(blocks.flatMap(({ item, hash }) => (item === null ? [] : [hash]))),
  };
  SENT_CONTENTS.set(blocks, found);
  return found;
}
