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
  const hosts = descendants(server.pid).filter((child) => child.command.includes('--type=extensionHost'));
  const pids = new Set(hosts.map(({ pid }) => pid));
  // What a host has just forked bears its command line until it runs a program of its own.
  return hosts.filter(({ parent }) => !pids.has(parent)).map(({ pid }) => pid);
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

/** What the driver of a window writes down. */
interface Listening {
  readonly port: number;
  /** Epoch milliseconds. */
  readonly opened: number;
}

function findPort(server: Server): number | undefined {
  // A killed host leaves its file behind: only the living count.
  const files = extensionHosts(server).map((pid) => join(driverFolder(server.dataFolder), `${pid}.json`));
  const listening = files.filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Listening);
  return listening.toSorted((a, b) => b.opened - a.opened)[0]?.port;
}
