import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LoupeError, failure, toLoupeError } from '../../../engine/errors.js';
import type { EncodingCounter } from '../../../engine/tokens/encodingCounter.js';
import type { CutRule } from '../../../engine/tokens/safeCut.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import { LoadCache } from '../loaded.js';

/**
 * Token counters by id. Each is loaded at its first use. If loading fails, the rough counter replaces the counter,
 * because a rough count is better than no request. The next call tries again, because an update of Loupe may restore
 * the file. Logs the cause once per counter.
 */
export class TokenCounters {
  readonly #load: (id: string) => Promise<TokenCounter>;
  readonly #logError: (error: LoupeError) => void;
  readonly #loaded = new LoadCache<string, TokenCounter>(new Map());
  readonly #failed = new Set<string>();

  constructor(load: (id: string) => Promise<TokenCounter>, logError: (error: LoupeError) => void) {
    this.#load = load;
    this.#logError = logError;
  }

  /** Returns the counter with this id, or the rough counter, which has another id. Never rejects. */
  async get(id: string): Promise<TokenCounter> {
    if (id === ROUGH_COUNTER.id) {
      return ROUGH_COUNTER;
    }
    try {
      return await this.#loaded.get(id, () => this.#load(id));
    } catch (thrown) {
      if (!this.#failed.has(id)) {
        this.#failed.add(id);
        this.#logError(toLoupeError(thrown));
      }
      return ROUGH_COUNTER;
    }
  }
}

/** A rank table, and rules for cutting a text into parts. The parts together must have as many tokens as the text. */
interface Encoding {
  readonly table: string;
  readonly cuts: readonly CutRule[];
}

const O200K: Encoding = { table: 'o200k_base', cuts: ['afterLetter', 'afterDigit', 'afterLineBreak'] };
const CL100K: Encoding = { table: 'cl100k_base', cuts: ['afterLetter', 'afterDigit', 'afterLineBreak'] };
/** Has no rule for line breaks, because the regular expressions of these older encodings have none. */
const P50K: Encoding = { table: 'p50k_base', cuts: ['afterLetter', 'afterDigit'] };
const R50K: Encoding = { table: 'r50k_base', cuts: ['afterLetter', 'afterDigit'] };

/**
 * The available counters, by the id in a model's capabilities. Encodings with the same rank table differ only in
 * special tokens, which Loupe counts as normal text.
 */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  o200k_base: O200K,
  o200k_harmony: O200K,
  cl100k_base: CL100K,
  p50k_base: P50K,
  p50k_edit: P50K,
  r50k_base: R50K,
  gpt2: R50K,
};

export const COUNTER_IDS: readonly string[] = Object.keys(ENCODINGS);

/**
 * Creates a token counter from its id and its rank table in `folder`. Each call creates a new counter and takes some
 * milliseconds. Call this only at the first count.
 */
export async function loadCounter(id: string, folder: string): Promise<EncodingCounter> {
  const encoding = Object.hasOwn(ENCODINGS, id) ? ENCODINGS[id] : undefined;
  if (encoding === undefined) {
    throw failure('tokens.unknownCounter', { id });
  }
  // Reads the file while Node compiles the code.
  const [file, counters, ranks] = await Promise.all([
    readFile(join(folder, `${encoding.table}.bin`)),
    import('../../../engine/tokens/encodingCounter.js'),
    import('../../../engine/tokens/rankTable.js'),
  ]);
  return new counters.EncodingCounter(id, new ranks.RankTable(file), encoding.cuts);
}
