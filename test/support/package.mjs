// npm run package: builds the extension and packages it as out/<name>-<version>.vsix.

import { join, relative } from 'node:path';
import { outFolder, root } from './paths.mjs';
import { runScript } from './script.mjs';
import { prepareBase } from './setup.mjs';
import { packageVsix, stage, vsixName } from './vsix.mjs';

await runScript(async (work) => {
  await prepareBase();
  await stage(join(work, 'stage'), { dev: false });
  const vsix = join(outFolder, vsixName());
  await packageVsix(join(work, 'stage'), vsix);
  console.log(`Packaged ${relative(root, vsix)}`);
});
