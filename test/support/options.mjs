// The command line of npm test.

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './paths.mjs';
import { SetupError } from './setup.mjs';
import { needsWorkbench, suiteOfFile, SUITE_NAMES } from './suites.mjs';

/**
 * @typedef {object} TestOptions
 * @property {string[]} suites - none: all
 * @property {string[]} files - below test/; none: all of the suites
 * @property {string | null} grep
 * @property {boolean} setup
 * @property {boolean} watch
 * @property {boolean} deep - with long parameters
 */

/**
 * @returns {TestOptions}
 * @throws {SetupError} that says what is wrong with them
 */
export function readOptions() {
  const { values } = parse();
  const suites = (values.suite ?? []).flatMap((names) => names.split(','));
  const unknown = suites.filter((name) => !SUITE_NAMES.includes(name));
  if (unknown.length > 0) {
    throw new SetupError(`No suite is called ${unknown.join(', ')}; there are ${SUITE_NAMES.join(', ')}.`);
  }
  const files = (values.file ?? []).map(testFile);
  if (files.length > 0 && suites.length > 0) throw new SetupError('Give either --suite or --file: a file tells its suite.');
  const watch = values.watch === true;
  if (watch) checkWatched(files);
  return { suites, files, grep: values.grep ?? null, setup: values['no-setup'] !== true, watch, deep: values.deep === true };
}

function parse() {
  try {
    return parseArgs({
      options: {
        suite: { type: 'string', multiple: true },
        file: { type: 'string', multiple: true },
        grep: { type: 'string' },
        'no-setup': { type: 'boolean' },
        watch: { type: 'boolean' },
        deep: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} path - from where npm was called, or from the root
 * @returns {string} below test/, with slashes
 */
function testFile(path) {
  const places = [resolve(process.env['INIT_CWD'] ?? process.cwd(), path), resolve(root, path)];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new SetupError(`There is no file ${path}.`);
  const file = relative(join(root, 'test'), found).replaceAll('\\', '/');
  if (!file.endsWith('.test.ts') || !SUITE_NAMES.includes(suiteOfFile(file))) {
    throw new SetupError(`${path} is no test file: those are test/<suite>/**/*.test.ts of ${SUITE_NAMES.join(', ')}.`);
  }
  return file;
}

/** @param {string[]} files */
function checkWatched(files) {
  if (files.length === 0) throw new SetupError('--watch needs at least one --file.');
  const inWorkbench = files.filter((file) => needsWorkbench(suiteOfFile(file)));
  if (inWorkbench.length > 0) {
    throw new SetupError(`--watch is for tests in plain Node: ${inWorkbench.join(', ')} run in VS Code, with a package built once.`);
  }
}
