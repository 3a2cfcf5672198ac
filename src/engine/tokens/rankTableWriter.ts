import { hashBytes, HEADER_WORDS, RANK_TABLE_MAGIC, WORD } from './rankTable.js';

export interface Encoding {
  /** The regular expression that splits a text into pieces. */
  readonly pattern: string;
  /** The bytes of each token by its rank; `undefined` for a rank without a token. */
  readonly tokens: readonly (Uint8Array | undefined)[];
}

/** At most half of the table is in use, so that a lookup needs one or two probes. */
const SLOTS_PER_TOKEN = 2;

/** Writes an encoding as a file for `RankTable`. Runs at build time. */
export function writeRankTable({ pattern, tokens }: Encoding): Uint8Array {
  const patternBytes = new TextEncoder().encode(pattern);
  const patternWords = Math.ceil(patternBytes.length / WORD);
  const slots = 2 ** Math.ceil(Math.log2(tokens.length * SLOTS_PER_TOKEN));
  const size = tokens.reduce((sum, token) => sum + (token?.length ?? 0), 0);
  const wordCount = HEADER_WORDS + tokens.length + 1 + slots + patternWords;
  const file = new Uint8Array(wordCount * WORD + size);
  const words = new Uint32Array(file.buffer, 0, wordCount);
  const longest = tokens.reduce((most, token) => Math.max(most, token?.length ?? 0), 0);
  words.set([RANK_TABLE_MAGIC, tokens.length, longest, slots, patternBytes.length]);
  const starts = words.subarray(HEADER_WORDS, HEADER_WORDS + tokens.length + 1);
  const table = words.subarray(HEADER_WORDS + tokens.length + 1, HEADER_WORDS + tokens.length + 1 + slots);
  file.set(patternBytes, (wordCount - patternWords) * WORD);
  let end = 0;
  for (const [rank, token] of tokens.entries()) {
    starts[rank] = end;
    if (token !== undefined) {
      file.set(token, wordCount * WORD + end);
      table[freeSlot(table, token)] = rank + 1;
      end += token.length;
    }
  }
  starts[tokens.length] = end;
  return file;
}

function freeSlot(table: Uint32Array, token: Uint8Array): number {
  const mask = table.length - 1;
  let slot = hashBytes(token, 0, token.length) & mask;
  while (table[slot] !== 0) {
    slot = (slot + 1) & mask;
  }
  return slot;
}
