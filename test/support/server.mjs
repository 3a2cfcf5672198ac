// Starts VS Code's server (the one inside code-server) and reports how it ended.

import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeLimit } from './limits.mjs';
import { vscodeFolder } from './paths.mjs';
import { lastLines, start } from './processes.mjs';
import { SetupError } from './setup.mjs';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** A closed page cannot always reach the server, which then keeps its extension host for three hours. */
const GRACE_S = 5;

/** When true, a workspace opens in Restricted Mode until it is trusted. */
const TRUST_SETTING = 'security.workspace.trust.enabled';

/** Turns off everything that VS Code shows, fetches or reports on its own. */
export const QUIET_SETTINGS = {
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  // Its only view is Loupe's.
  'workbench.secondarySideBar.defaultVisibility': 'visible',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  [TRUST_SETTING]: false,
  'security.workspace.trust.startupPrompt': 'never',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.openRepositoryInParentFolders': 'never',
  // Beyond 20 ports, such as those of page tests at the same time, a notification would cover the panel.
  'remote.autoForwardPorts': false,
};

/**
 * VS Code's own extensions that tests need: notebooks, themes, and languages of the sample workspace. All hundred
 * others would cost each window five seconds of a core.
 */
const TESTED_WITH = ['ipynb', 'theme-defaults', 'theme-seti', 'typescript-basics', 'javascript', 'json', 'markdown-basics'];

const GIT = ['git', 'git-base'];

/**
 * @typedef {object} ServerOptions
 * @property {string} node - the Node to run it with
 * @property {string} dataFolder - settings, storage and logs
 * @property {string} extensionsFolder
 * @property {'all' | 'few' | 'withGit'} builtIn - VS Code's own extensions; few: what tests look at; withGit: and git
 * @property {number} port - 0: any free one
 * @property {boolean} automation - the page may drive the workbench and run test suites
 * @property {Record<string, unknown>} settings - user settings, besides the quiet ones
 * @property {Record<string, string>} environment - variables for the extensions
 */

/**
 * @typedef {object} Server
 * @property {string} url - without a path
 * @property {number} port
 * @property {number} pid
 * @property {string} dataFolder
 * @property {() => boolean} alive
 * @property {Promise<unknown>} ended
 * @property {() => string} tail - the last lines of its log
 * @property {() => Promise<void>} stop
 */

/** @type {Set<string>} */
const tempFolders = new Set();
process.once('exit', () => {
  for (const folder of tempFolders) removeFolder(folder);
});

/** @returns {string} an empty folder, removed at the latest when this process ends */
export function makeTempFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-'));
  tempFolders.add(folder);
  return folder;
}

/** @param {string} folder */
export function removeFolder(folder) {
  // VS Code's processes can still write their last log lines.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  tempFolders.delete(folder);
}

/**
 * @param {number} port
 * @returns {Promise<number>} the port, or a free one for 0
 * @throws when it is taken
 */
export function checkPort(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, HOST, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => {
        resolve(found);
      });
    });
  });
}

/**
 * @param {string} dataFolder
 * @param {Record<string, unknown>} settings
 */
function writeUserSettings(dataFolder, settings) {
  const text = `${JSON.stringify({ ...QUIET_SETTINGS, ...settings }, null, 2)}\n`;
  const folder = join(dataFolder, 'data/User');
  const file = join(folder, 'settings.json');
  // A restart keeps changed settings.
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
}

/**
 * @param {ServerOptions} options
 * @returns {string[]} the server's arguments
 */
function builtInExtensions({ builtIn, dataFolder }) {
  if (builtIn === 'all') return [];
  const folder = join(dataFolder, 'built-in');
  if (!existsSync(folder)) {
    mkdirSync(folder);
    // Junctions need no permissions on Windows.
    for (const name of [...TESTED_WITH, ...(builtIn === 'withGit' ? GIT : [])])
      symlinkSync(join(vscodeFolder, 'extensions', name), join(folder, name), 'junction');
  }
  return ['--builtin-extensions-dir', folder];
}

/**
 * @param {ServerOptions} options
 * @returns {Promise<Server>} as soon as it answers
 */
export async function startServer(options) {
  const port = await checkPort(options.port).catch((/** @type {unknown} */ error) => {
    throw new SetupError(`Port ${options.port} is taken: end the program that uses it, and start again.`, { cause: error });
  });
  mkdirSync(options.extensionsFolder, { recursive: true });
  writeUserSettings(options.dataFolder, options.settings);
  const child = start(
    options.node,
    [
      ...['--import', new URL('secretKey.mjs', import.meta.url).href],
      join(vscodeFolder, 'out/server-main.js'),
      ...['--host', HOST, '--port', String(port)],
      '--without-connection-token',
      '--accept-server-license-terms',
      ...(options.automation ? ['--enable-smoke-test-driver', '--reconnection-grace-time', String(GRACE_S)] : []),
      ...(options.settings[TRUST_SETTING] === true ? [] : ['--disable-workspace-trust']),
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      ...['--server-data-dir', options.dataFolder],
      ...['--extensions-dir', options.extensionsFolder],
      ...builtInExtensions(options),
    ],
    { env: { ...serverEnvironment(), ...options.environment } },
  );
  const url = `http://${HOST}:${port}`;
  await waitUntilAnswers(url, child);
  return {
    url,
    port,
    pid: child.pid,
    dataFolder: options.dataFolder,
    alive: child.alive,
    ended: child.ended,
    tail: () => tailWithoutNoise(child.output()),
    stop: child.stop,
  };
}

/**
 * Returns the last lines of a log without those about native modules. Modules that only write VS Code's own logs are
 * not built here.
 *
 * @param {string} text
 */
export function tailWithoutNoise(text) {
  const noise =
    /^\s*$|^%c|^\s+(?:at |'\/|tries:|\])|^ → |bindings file|native-watchdog|\/watchdog'|extensionHostProcess\.js$|^Require stack|^\}|vsda|open-vsx/;
  return lastLines(
    text
      .split('\n')
      .filter((line) => !noise.test(line))
      .join('\n'),
  );
}

/** In VS Code's own terminal, the server must not use that VS Code as its parent. */
function serverEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$)/.test(name)));
}

/**
 * @param {string} url
 * @param {import('./processes.mjs').Child} child
 */
async function waitUntilAnswers(url, child) {
  const deadline = Date.now() + timeLimit(START_TIMEOUT_MS);
  while (Date.now() < deadline) {
    if (!child.alive()) throw new Error(`VS Code's server ended at its start:\n${child.tail()}`);
    try {
      const response = await fetch(`${url}/version`);
      if (response.ok) return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  await child.stop();
  throw new Error(`VS Code's server did not answer in ${timeLimit(START_TIMEOUT_MS) / 1000} s:\n${child.tail()}`);
}
