import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoupeError } from '../../engine/errors.js';
import type { TokenCounter } from '../../engine/ports.js';

/**
 * The counters there are, by the id that a model's capability data name, and the rank table of each. The encodings
 * that share one differ in special tokens alone, which count as ordinary text.
 */
const RANK_TABLES: Readonly<Record<string, string>> = {
  o200k_base: 'o200k_base',
  o200k_harmony: 'o200k_base',
  cl100k_base: 'cl100k_base',
  p50k_base: 'p50k_base',
  p50k_edit: 'p50k_base',
  r50k_base: 'r50k_base',
  gpt2: 'r50k_base',
};

export const COUNTER_IDS: readonly string[] = Object.keys(RANK_TABLES);

/**
 * Loads a token counter by its id, with its rank table from `folder`: some milliseconds, so it is called when the
 * first count is needed. Each call makes a new one, the caller keeps it.
 */
export async function loadCounter(id: string, folder: string): Promise<TokenCounter> {
  const table = Object.hasOwn(RANK_TABLES, id) ? RANK_TABLES[id] : undefined;
  if (table === undefined) {
    throw new LoupeError('invalidInput', `There is no token counter named ${id}.`);
  }
  const [{ EncodingCounter }, { RankTable }] = await Promise.all([
    import('../../engine/tokens/encodingCounter.js'),
    import('../../engine/tokens/rankTable.js'),
  ]);
  return new EncodingCounter(id, new RankTable(await readFile(join(folder, `${table}.bin`))));
}
