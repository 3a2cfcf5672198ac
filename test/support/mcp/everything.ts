import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { installed } from './rig.js';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the official example server. Resolves when it listens, which it reports on stderr. */
export async function startEverything(transport: 'streamableHttp' | 'sse', port: number): Promise<ChildProcess> {
  const { command, args } = installed('everything', transport);
  const program = spawn(command, args, { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    // Reads on, because the server ends when it can no longer write.
    program.stderr.on('data', (chunk) => {
      if (String(chunk).includes('on port')) resolve();
    });
    program.once('exit', () => {
      reject(new Error('The server ended at its start.'));
    });
  });
  return program;
}

export async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode === null && program.signalCode === null) {
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
}
