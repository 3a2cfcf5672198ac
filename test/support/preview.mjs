// npm run preview: the chat panel in a plain browser, without VS Code, in states
// that are seldom on show. Options: --port <number> (3211).

import { parseArgs } from 'node:util';
import { stopOnSignals } from './processes.mjs';
import { checkPort } from './server.mjs';
import { prepareBase, reportFailure, SetupError } from './setup.mjs';

const DEFAULT_PORT = 3211;
const HIGHEST_PORT = 65_535;

function readPort() {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT) {
    throw new SetupError(`--port wants a number from 1 to ${HIGHEST_PORT}, not ${values.port}.`);
  }
  return port;
}

try {
  const port = readPort();
  await prepareBase();
  await checkPort(port).catch(() => {
    throw new SetupError(`Port ${port} is taken. Choose another one: npm run preview -- --port ${port + 1}`);
  });
  // Not at the top, because a fresh clone installs esbuild first.
  const { startPreview } = await import('../../build/preview.mjs');
  const { url, stop } = await startPreview({ port, watch: true });
  stopOnSignals(stop);
  console.log(`\nThe panel: ${url}\nCtrl+C ends it.`);
} catch (error) {
  reportFailure(error);
}
