import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runShellCommand } from '../../src/host/tools/workspace/shellCommand.js';
import { OrphanReaper } from '../../src/tools/mcp/transport/orphanReaper.js';
import { isRunning, untilEnded } from '../support/mcp/processes.js';

/*
 * The extension host can be killed at any moment. This file is also the killed program:
 *
 *   node <this file> command   runs a command that ignores SIGTERM, and prints the ids of its processes
 */

async function runStubbornCommand(): Promise<void> {
  await runShellCommand("trap '' TERM; sleep 600 & echo $$ $!; wait", {
    folder: tmpdir(),
    signal: new AbortController().signal,
    onOutput: (text) => writeSync(1, text),
    reaper: new OrphanReaper(),
  });
}

function describeKilled(): void {
  describe('the command of an extension host that is killed', () => {
    it('ends with all its processes', async () => {
      const host = spawn(process.execPath, [import.meta.filename, 'command'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(host.stdout, 'data')) as [Buffer];
      const pids = line.toString().trim().split(' ').map(Number);
      assert.deepEqual(pids.map(isRunning), [true, true]);
      host.kill('SIGKILL');
      await Promise.all(pids.map(untilEnded));
    });
  });
}

if (process.argv[2] === 'command') {
  await runStubbornCommand();
} else {
  describeKilled();
}
