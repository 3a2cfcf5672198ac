// Talks to the driver extension (test/support/driver-extension) that runs
// beside Loupe in the extension host.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendants } from '../processes.mjs';
import type { Server } from '../server.mjs';
import { waitFor } from './wait.js';

export function driverFolder(dataDir: string): string {
  return join(dataDir, 'loupe-driver');
}

/** The process ids of a server's extension hosts, one for each open window. */
export function extensionHosts(server: Server): number[] {
  return descendants(server.pid)
    .filter((child) => child.command.includes('--type=extensionHost'))
    .map((child) => child.pid);
}

/**
 * Sends a request to the driver of the window that was opened last.
 * @throws what the command threw
 */
export async function callDriver(server: Server, request: object): Promise<unknown> {
  const port = await waitFor('the driver extension', () => findPort(server));
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body: JSON.stringify(request),
  });
  const answer = (await response.json()) as { result?: unknown; error?: string };
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.result;
}

function findPort(server: Server): number | undefined {
  // A killed host leaves its file behind: only the living count.
  for (const pid of extensionHosts(server).sort((a, b) => b - a)) {
    const file = join(driverFolder(server.dataFolder), `${pid}.json`);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { port: number }).port;
  }
  return undefined;
}
