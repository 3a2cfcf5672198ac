// npm run errors-table: writes the table of failures in docs/errors.md from the catalogue.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from './paths.mjs';

const built = await esbuild.build({
  entryPoints: [join(root, 'test/support/failureTable.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  logLevel: 'warning',
});
const { failureTable } = await import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0]?.text ?? '')}`);
const path = join(root, 'docs/errors.md');
const [head = ''] = (await readFile(path, 'utf8')).split('| Code |');
await writeFile(path, head + failureTable());
