// Loaded into VS Code's server before it starts. The workbench encrypts secrets, such as providers' keys, in the
// browser. It gets half of the key from /mint-key, which only code-server's own front answers. Without it, secrets last
// until the window reloads.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { argv, execArgv } from 'node:process';

/** The workbench expects this length. */
const KEY_BYTES = 32;

/** In the data folder of the server. */
const file = join(argv[argv.indexOf('--server-data-dir') + 1] ?? '.', 'secret-key');

// Extension hosts inherit these options, but serve no workbench.
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
