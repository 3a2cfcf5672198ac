import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runShellCommand } from '../../src/host/tools/workspace/shellCommand.js';
import { OrphanReaper } from '../../src/tools/mcp/transport/orphanReaper.js';
import { isRunning, untilEnded } from '../support/mcp/processes.js';
import { callOptions, McpRig } from '../support/mcp/rig.js';

/*
 * The extension host can be killed at any moment. This file is also the killed program. It prints ids of processes:
 *
 *   node <this file> servers   starts two servers. The ids are those of their processes and of the orphan reaper
 *   node <this file> command   runs a command that ignores SIGTERM. The ids are those of its processes
 */

const SCRIPT = join(process.cwd(), 'test/support/mcp/hostileServer.mjs');
/** Both would outlive the host: the processes of one ignore SIGTERM and the end of their input. */
const SERVERS = { stubborn: ['ignoreTerm', 'grandchild'], mild: ['grandchild'] };

async function startServers(): Promise<void> {
  const rig = new McpRig({});
  const entries = Object.entries(SERVERS).map(([name, words]) => [name, { command: process.execPath, args: [SCRIPT, ...words] }] as const);
  rig.servers.configure([{ place: 'settings', isOwn: false, folder: null, content: { servers: Object.fromEntries(entries) } }]);
  const found = rig.servers.servers().map(async (server) => {
    const { content } = await server.call('pids', {}, callOptions(new Map()));
    return JSON.parse(content[0]?.type === 'text' ? content[0].text : '[]') as number[];
  });
  writeSync(1, (await Promise.all(found)).flat().join(' '));
}

async function runStubbornCommand(): Promise<void> {
  await runShellCommand("trap '' TERM; sleep 600 & echo $$ $!; wait", {
    folder: tmpdir(),
    signal: new AbortController().signal,
    onOutput: (text) => writeSync(1, text),
    reaper: new OrphanReaper(),
  });
}

function describeKilled(): void {
  describe('an extension host that is killed', () => {
    for (const [what, program, processes] of [
      ['the MCP servers', 'servers', 4],
      ['the command', 'command', 2],
    ] as const) {
      it(`ends ${what} with all their processes`, async () => {
        const host = spawn(process.execPath, [import.meta.filename, program], { stdio: ['ignore', 'pipe', 'inherit'] });
        const [line] = (await once(host.stdout, 'data')) as [Buffer];
        const pids = line.toString().trim().split(' ').map(Number);
        const expected = Array.from({ length: processes }, () => true);
        assert.deepEqual(pids.map(isRunning), expected);
        host.kill('SIGKILL');
        await Promise.all(pids.map(untilEnded));
      });
    }
  });
}

switch (process.argv[2]) {
  case 'servers':
    await startServers();
    break;
  case 'command':
    await runStubbornCommand();
    break;
  default:
    describeKilled();
}
