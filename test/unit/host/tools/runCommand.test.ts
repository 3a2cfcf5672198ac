import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/engine/json.js';
import type { CallOutcome } from '../../../../src/engine/tools/offered.js';
import { runCommandTool, BoundedText } from '../../../../src/host/tools/workspace/runCommand.js';
import { OrphanReaper } from '../../../../src/tools/mcp/transport/orphanReaper.js';
import { until } from '../../../support/host/clocks.js';
import { reporting, textOf, UNSTOPPED } from '../../../support/host/ownTools.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';

describe('run_command', () => {
  const folder = useTemporaryFolder();
  let seen: string;
  let ended: string[];
  let closing: AbortController;
  beforeEach(() => {
    seen = '';
    ended = [];
    closing = new AbortController();
  });

  const tool = (place: string | null) =>
    runCommandTool({
      folder: () => Promise.resolve(place === null ? null : { ok: true, place }),
      reaper: new OrphanReaper(),
      show: () => ({
        signal: closing.signal,
        write: (text) => {
          seen += text;
        },
        ended: (sentence) => ended.push(sentence),
      }),
    });
  const run = (args: JsonObject): Promise<CallOutcome> => tool(folder.path).run(args, UNSTOPPED);
  const said = async (command: string): Promise<[boolean, string]> => {
    const outcome = await run({ command });
    return [outcome.isError, textOf(outcome)];
  };
  const pidIn = (name: string): number => Number(readFileSync(join(folder.path, name), 'utf8'));
  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return !isZombie(pid);
    } catch {
      return false;
    }
  };
  /** Without a process that waits for orphans, they stay in the list. */
  const isZombie = (pid: number): boolean =>
    existsSync(`/proc/${String(pid)}/stat`) && readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z ');

  it('runs in the workspace folder, and gives the output of both streams', async () => {
    folder.write('here.txt', '');
    assert.deepEqual(await said('ls; echo oops >&2'), [false, 'Exit code 0.\n\nhere.txt\noops\n']);
    assert.deepEqual([seen, ended], ['here.txt\noops\n', ['Exit code 0.']]);
    assert.deepEqual(await said('true'), [false, 'Exit code 0.\n\n(no output)']);
  });

  it('tells how a command failed', async () => {
    assert.deepEqual(await said('echo half; exit 3'), [true, 'Exit code 3.\n\nhalf\n']);
    assert.deepEqual(await said('kill -9 $$'), [true, 'The command was ended by SIGKILL.\n\n(no output)']);
    const gone = await tool(join(folder.path, 'gone')).run({ command: 'ls' }, UNSTOPPED);
    assert.match(textOf(gone), /^The command could not be started: .*ENOENT/);
    assert.equal(ended.splice(0).length, 3);
    // Longer than Linux allows for one argument.
    assert.match((await said(`true ${'#'.repeat(10_000_000)}`))[1], /^The command could not be started: .*(E2BIG|ENAMETOOLONG)/);
    assert.equal(ended.length, 1);
    assert.match(textOf(await tool(null).run({ command: 'ls' }, UNSTOPPED)), /^The command did not run: the workspace has no folder/);
    assert.match(textOf(await run({ command: 'ls\0' })), /^The arguments do not fit the tool\. command/);
  });

  it('gets no input, and nothing of the environment of VS Code', async () => {
    process.env['VSCODE_TEST'] = 'ours';
    try {
      assert.deepEqual(await said('cat; echo "[$VSCODE_TEST][$PAGER]"'), [false, 'Exit code 0.\n\n[][cat]\n']);
    } finally {
      delete process.env['VSCODE_TEST'];
    }
  });

  it('gives characters whole, without colours and lines that were written over', async () => {
    const node = `"${process.execPath}" -e`;
    assert.deepEqual(
      await said(
        `${node} "process.stdout.write(Buffer.from('c3','hex'));setTimeout(()=>process.stdout.write(Buffer.from('a9','hex')),50)"`,
      ),
      [false, 'Exit code 0.\n\né'],
    );
    assert.deepEqual(await said(String.raw`printf '10%%\r20%%\r\033[32mdone\033[0m\r\nend'`), [false, 'Exit code 0.\n\ndone\nend']);
  });

  it('leaves out the middle of a long output, and says how much', async () => {
    const [, text] = await said('seq 1 100000');
    assert.match(text, /^Exit code 0\.\n\n1\n2\n/);
    assert.match(text, /\n\(… 558895 characters are left out here …\)\n/);
    assert.match(text, /\n99999\n100000\n$/);
  });

  it('is ended with all that it started when its time is over', async () => {
    const command = `sleep 600 & echo $! > pid; trap '' TERM; echo begun; sleep 600`;
    const outcome = await run({ command, timeout_seconds: 1 });
    assert.deepEqual([outcome.isError, textOf(outcome)], [true, 'The command was ended: it ran longer than 1 seconds.\n\nbegun\n']);
    await until(() => !isAlive(pidIn('pid')), 'the end of what it started');
  });

  it('is ended when the call is stopped, and when the user ends it in the terminal', async () => {
    for (const who of ['call', 'terminal']) {
      const stop = new AbortController();
      seen = '';
      const call = tool(folder.path).run({ command: 'sleep 600 & echo $! > pid; echo begun; wait' }, reporting(stop.signal));
      await until(() => seen === 'begun\n', 'the begin');
      (who === 'call' ? stop : closing).abort();
      assert.equal(textOf(await call), 'The user ended the command.\n\nbegun\n');
      await until(() => !isAlive(pidIn('pid')), 'the end of what it started');
    }
  });

  it('leaves nothing running behind it, whether or not that holds its output open', async () => {
    for (const rest of ['sleep 600 & echo $! > pid', 'sleep 600 >/dev/null 2>&1 & echo $! > pid']) {
      assert.deepEqual(await said(`${rest}; echo done`), [false, 'Exit code 0.\n\ndone\n']);
      await until(() => !isAlive(pidIn('pid')), 'the end of what it left running');
    }
  });

  it('is ended when it writes without end', async () => {
    const outcome = await run({ command: 'yes' });
    assert.match(textOf(outcome), /^The command was ended: it wrote more than 64 MB\.\n\ny\ny\n/);
  });

  it('tells how long it runs', async () => {
    const stop = new AbortController();
    const options = reporting(stop.signal);
    const call = tool(folder.path).run({ command: 'sleep 600', timeout_seconds: 30 }, options);
    await until(() => options.reports.length > 0, 'a report');
    stop.abort();
    await call;
    assert.deepEqual(options.reports[0], { done: 1, total: 30, text: '1 of at most 30 s', asks: false });
  });
});

describe('a bounded text', () => {
  const bounded = (most: number, ...pieces: string[]): string => {
    const text = new BoundedText(most);
    pieces.forEach((piece) => {
      text.append(piece);
    });
    return text.toString();
  };

  it('is whole up to its bound, however it comes', () => {
    assert.equal(bounded(6, 'abc', 'def'), 'abcdef');
    assert.equal(bounded(6, 'a', 'bcde', '', 'f'), 'abcdef');
    assert.equal(bounded(6), '');
  });

  it('has its beginning and its end beyond that', () => {
    assert.equal(bounded(6, 'abcdefgh'), 'abc\n(… 2 characters are left out here …)\nfgh');
    assert.equal(bounded(6, 'abcd', 'e', 'fgh'), 'abc\n(… 2 characters are left out here …)\nfgh');
  });
});
