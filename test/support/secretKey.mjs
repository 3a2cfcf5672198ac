// Loaded into VS Code's server before it starts. The workbench keeps secrets,
// such as the keys of providers, encrypted in the browser. It asks for half of
// the key at /mint-key, which only code-server's own front answers; without it,
// secrets last until the window is reloaded.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { argv, execArgv } from 'node:process';

/** What the workbench expects. */
const KEY_BYTES = 32;

/** The server's data folder, which it is started with. */
const file = join(argv[argv.indexOf('--server-data-dir') + 1] ?? '.', 'secret-key');

// Extension hosts get the options of this process, and serve no workbench.
execArgv.splice(0);

/** The same for all windows and starts on this data folder. */
function readKey() {
  try {
    writeFileSync(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(file);
}

const key = readKey();
const { emit } = Server.prototype;

/**
 * @this {Server}
 * @param {string} event
 * @param {unknown[]} args
 */
Server.prototype.emit = function (event, ...args) {
  const [request, response] = args;
  const isAsked = event === 'request' && request instanceof IncomingMessage && request.method === 'POST' && request.url === '/mint-key';
  if (!isAsked || !(response instanceof ServerResponse)) return Reflect.apply(emit, this, [event, ...args]);
  response.end(key);
  return true;
};
