// npm run package: builds the extension and packages it as out/<name>-<version>.vsix.

import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeRunFolder, outFolder, root } from './paths.mjs';
import { stopOnSignals } from './processes.mjs';
import { prepareBase, reportFailure } from './setup.mjs';
import { packageVsix, stage, vsixName } from './vsix.mjs';

const work = makeRunFolder('run');
const cleanUp = () => {
  rmSync(work, { recursive: true, force: true });
};
stopOnSignals(cleanUp);
try {
  await prepareBase();
  await stage(join(work, 'stage'), { dev: false });
  const vsix = join(outFolder, vsixName());
  await packageVsix(join(work, 'stage'), vsix);
  console.log(`Packaged ${relative(root, vsix)}`);
} catch (error) {
  reportFailure(error);
} finally {
  cleanUp();
}
