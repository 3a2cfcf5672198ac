// npm start: VS Code with the packaged extension on a sample workspace, in the
// browser. Options: --port <number> (3210), --no-open.
//
// The workspace and what VS Code stores are in .start/ and stay between
// starts, so that chats do too; deleting the folder starts afresh. Keys of
// providers stay as well, encrypted in the browser (secretKey.mjs).

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRunFolder, root, vscodeFolder } from './paths.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';
import { checkPort, startServer } from './server.mjs';
import { checkNodeVersion, prepareBase, prepareWorkbench, reportFailure, SetupError } from './setup.mjs';
import { installDriver, installVsix, packageVsix, stage, vsixName } from './vsix.mjs';

const DEFAULT_PORT = 3210;
const HIGHEST_PORT = 65_535;
const startFolder = join(root, '.start');
const workspace = join(startFolder, 'tidewatch');

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { port: { type: 'string' }, 'no-open': { type: 'boolean' } },
    });
    const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT) {
      throw new Error(`--port wants a number from 1 to ${HIGHEST_PORT}, not ${values.port}.`);
    }
    return { port, open: values['no-open'] !== true };
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}

/** @param {number} port */
async function demandPort(port) {
  try {
    await checkPort(port);
  } catch {
    throw new SetupError(
      `Port ${port} is taken, maybe by another npm start. ` + `End that one, or choose a port: npm start -- --port ${port + 1}`,
    );
  }
}

/** @param {string} extensions */
async function installExtension(extensions) {
  const work = makeRunFolder('start');
  try {
    const vsix = join(work, vsixName());
    await stage(join(work, 'stage'), { dev: false });
    await packageVsix(join(work, 'stage'), vsix);
    // VS Code lists extensions at its start: remove an older version first.
    rmSync(extensions, { recursive: true, force: true });
    installVsix(vsix, extensions);
    installDriver(extensions);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Without this package, VS Code's extension for TypeScript says that a virus detection tool has deleted tsserver. The
 * package `typescript` of Loupe has no tsserver, but depends on the one with it.
 */
function linkTypeScript() {
  const link = join(vscodeFolder, 'extensions/node_modules/typescript');
  if (existsSync(join(link, 'lib/tsserver.js'))) return;
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('typescript'));
  rmSync(link, { recursive: true, force: true });
  mkdirSync(dirname(link), { recursive: true });
  // Junctions need no permissions on Windows.
  symlinkSync(dirname(resolve('@typescript/old/package.json')), link, 'junction');
}

/** @param {string} url */
function openBrowser(url) {
  const { platform, env } = process;
  const desktop = platform === 'darwin' || platform === 'win32' || (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  if (!desktop) {
    console.log('There is no desktop here: open the address in a browser yourself.');
    return;
  }
  const [command, args] =
    platform === 'darwin'
      ? ['open', [url]]
      : platform === 'win32'
        ? ['cmd', ['/c', 'start', '', url.replaceAll('&', '^&')]]
        : ['xdg-open', [url]];
  const opener = spawn(command, args, { stdio: 'ignore', detached: true });
  opener.on('error', () => {
    console.log(`No browser could be opened (${command}). Open the address yourself.`);
  });
  opener.unref();
}

async function main() {
  checkNodeVersion();
  const options = readOptions();
  await demandPort(options.port);
  await prepareBase();
  const { node } = await prepareWorkbench();
  linkTypeScript();
  const extensions = join(startFolder, 'extensions');
  await installExtension(extensions);
  if (!existsSync(workspace)) {
    cpSync(join(root, 'test/support/sample-workspace'), workspace, { recursive: true });
  }
  const dataFolder = join(startFolder, 'server');
  const server = await startServer({
    node,
    dataFolder,
    extensionsFolder: extensions,
    builtIn: 'all',
    port: options.port,
    automation: false,
    settings: {},
    environment: { LOUPE_DRIVER_SHOW: 'loupe.chat.focus' },
  });
  const url = `${server.url}/?folder=${encodeURIComponent(workspace)}`;
  console.log(
    `\nVS Code with Loupe: ${url}\n` +
      'API keys survive a reload and a restart: the browser keeps them, encrypted. Half of the secret is in\n' +
      `${join(dataFolder, 'secret-key')}, which only you can read.\n` +
      'Ctrl+C ends it.',
  );
  if (options.open) openBrowser(url);
  await server.ended;
  throw new SetupError(`VS Code's server ended by itself:\n${server.tail()}`);
}

stopOnSignals(() => {
  console.log('\nEnded.');
});
try {
  await main();
} catch (error) {
  reportFailure(error);
} finally {
  await stopAll();
}
