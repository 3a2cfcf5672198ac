// Calls the driver extension (test/support/driver-extension), which runs in the extension host with Loupe.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendants } from '../processes.mjs';
import type { Server } from '../server.mjs';
import { waitFor } from './wait.js';

export function driverFolder(dataDir: string): string {
  return join(dataDir, 'loupe-driver');
}

/** The process ids of a server's extension hosts, one per window. */
export function extensionHosts(server: Server): number[] {
  const hosts = descendants(server.pid).filter((child) => child.command.includes('--type=extensionHost'));
  const pids = new Set(hosts.map(({ pid }) => pid));
  // A new child of a host has its command line until it runs its own program.
  return hosts.filter(({ parent }) => !pids.has(parent)).map(({ pid }) => pid);
}

/** Sends a request to the driver of the newest window. Throws what the command threw. */
export async function callDriver(server: Server, request: object): Promise<unknown> {
  const port = await waitFor('the driver extension', () => findPort(server));
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(request) });
  const answer = (await response.json()) as { result?: unknown; error?: string };
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.result;
}

interface Listening {
  readonly port: number;
  readonly opened: number;
}

function findPort(server: Server): number | undefined {
  // A killed host leaves its file. Only running hosts count.
  const files = extensionHosts(server).map((pid) => join(driverFolder(server.dataFolder), `${pid}.json`));
  const listening = files.filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Listening);
  return listening.toSorted((a, b) => b.opened - a.opened)[0]?.port;
}
