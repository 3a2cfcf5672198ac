// Writes the rank tables of js-tiktoken's encodings in the format of the token counters, <encoding>.bin. For the
// layout, see src/engine/tokens/rankTable.ts.

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

/** The package with the data of the tables. */
export const RANK_DATA = 'js-tiktoken';

/**
 * The encodings to write. The package's other encodings differ only in special tokens, which count as ordinary text
 * here.
 */
const ENCODINGS = ['o200k_base', 'cl100k_base', 'p50k_base', 'r50k_base'];

/**
 * @param {string} root - of the project
 * @param {string} folder - gets the tables
 */
export async function writeRankTables(root, folder) {
  const { writeRankTable } = await importSource(join(root, 'src/engine/tokens/rankTableWriter.ts'));
  await mkdir(folder, { recursive: true });
  for (const encoding of ENCODINGS) {
    const { default: data } = await import(`${RANK_DATA}/ranks/${encoding}`);
    const table = writeRankTable({ pattern: data.pat_str, tokens: readTokens(data.bpe_ranks) });
    const file = join(folder, `${encoding}.bin`);
    // Written atomically: another run may be reading the file.
    await writeFile(`${file}.${process.pid}`, table);
    await rename(`${file}.${process.pid}`, file);
  }
}

/**
 * @param {string} lines - of `! {first rank} {token in Base64} {token} ...`, the ranks counting up
 * @returns {(Buffer | undefined)[]}
 */
function readTokens(lines) {
  /** @type {(Buffer | undefined)[]} */
  const tokens = [];
  for (const line of lines.split('\n')) {
    const [, first, ...encoded] = line.split(' ');
    for (const [index, token] of encoded.entries()) {
      tokens[Number(first) + index] = Buffer.from(token, 'base64');
    }
  }
  return Array.from(tokens);
}

/** @param {string} file - TypeScript */
async function importSource(file) {
  const result = await esbuild.build({ entryPoints: [file], bundle: true, write: false, format: 'esm', logLevel: 'warning' });
  const code = result.outputFiles[0]?.text ?? '';
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
