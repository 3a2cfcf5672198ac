import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, untilEnded } from '../support/mcp/processes.js';
import { callOptions, McpRig } from '../support/mcp/rig.js';

/*
 * The extension host can be killed at any moment. This file is also the killed program:
 *
 *   node <this file> servers   starts two servers. Prints the ids of their processes and of the orphan reaper
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
  writeSync(1, `${JSON.stringify((await Promise.all(found)).flat())}\n`);
}

function describeKilled(): void {
  describe('the MCP servers of an extension host that is killed', () => {
    it('end with all their processes', async () => {
      const host = spawn(process.execPath, [import.meta.filename, 'servers'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(host.stdout, 'data')) as [Buffer];
      const pids = JSON.parse(line.toString()) as number[];
      assert.deepEqual(pids.map(isRunning), [true, true, true, true]);
      host.kill('SIGKILL');
      await Promise.all(pids.map(untilEnded));
    });
  });
}

if (process.argv[2] === 'servers') {
  await startServers();
} else {
  describeKilled();
}
