import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '../../src/engine/json.js';
import type { ToolOutcome } from '../../src/engine/ports.js';
import { MCP_LIMITS, type McpLimits } from '../../src/tools/mcp/limits.js';
import type { McpServer } from '../../src/tools/mcp/mcpServer.js';
import { column } from '../support/columns.js';
import { isRunning } from '../support/mcp/processes.js';
import { callOptions, McpRig, NEVER } from '../support/mcp/rig.js';

const SCRIPT = join(process.cwd(), 'test/support/mcp/hostileServer.mjs');
/** Long for a server that answers, short for a test. */
const SHORT: Partial<McpLimits> = { endMs: 300, probeMs: 500 };

const MIB = 1024 * 1024;

describe('an MCP server that', () => {
  let rig: McpRig;

  const hostile = (words: readonly string[], limits: Partial<McpLimits>, env?: Record<string, string>): McpServer => {
    rig = new McpRig({ ...SHORT, ...limits });
    return rig.server({ command: process.execPath, args: [SCRIPT, ...words], env: env ?? {} });
  };

  const call = (server: McpServer, tool: string, args?: JsonObject): Promise<ToolOutcome> =>
    server.call(tool, args ?? {}, callOptions(new Map()));

  const text = ({ content, isError }: ToolOutcome): string =>
    `${isError ? 'error: ' : ''}${content.map((item) => (item.type === 'text' ? item.text : item.type)).join('\n')}`;

  const pidsOf = async (server: McpServer): Promise<readonly number[]> => JSON.parse(text(await call(server, 'pids'))) as number[];
  const processes = (server: McpServer): number => server.log.split('Here I am.').length - 1;

  afterEach(async () => {
    await rig.servers.dispose();
    assert.deepEqual(rig.errors, []);
  });

  describe('fails at its start', () => {
    it('says how it ended, and its log why', async () => {
      const server = hostile(['dieAtStart'], {});
      await server.start(NEVER);
      assert.deepEqual([server.status, server.problem], ['failed', 'The server stopped when it started, with code 3.']);
      assert.match(server.log, /There is no database at \/nowhere\.\n/);
      assert.deepEqual(rig.changes, ['configured', 'tested starting', 'tested failed']);
    });

    it('is a command or a folder that does not exist', async () => {
      rig = new McpRig({});
      const noCommand = rig.server({ command: 'no-such-command-of-loupe' });
      await noCommand.start(NEVER);
      assert.equal(noCommand.problem, 'The command "no-such-command-of-loupe" was not found. Install it, or correct "command".');
      const noFolder = rig.server({ command: process.execPath, cwd: '/no/such/folder' });
      await noFolder.start(NEVER);
      assert.equal(noFolder.problem, 'The folder /no/such/folder of the server does not exist. Correct "cwd".');
      const nul = rig.server({ command: process.execPath, args: ['\0'] });
      await nul.start(NEVER);
      assert.equal(nul.problem, `The command "${process.execPath}" could not be started (ERR_INVALID_ARG_VALUE).`);
    });

    it('never gets ready: it is started once', async () => {
      // Long enough for the process to begin on a busy machine.
      const server = hostile(['neverReady'], { startMs: 4_000 });
      await server.start(NEVER);
      assert.deepEqual([server.status, server.problem], ['failed', 'The server was not ready 4 seconds after its start.']);
      assert.equal(processes(server), 1);
    });

    it('ends when it is asked to begin: it is started once where it had spoken, and once more where it had not', async () => {
      for (const [words, starts] of [
        [['dieAtBegin'], 1],
        [['silentQuestion', 'dieAtBegin'], 2],
      ] as const) {
        const server = hostile(words, {});
        await server.start(NEVER);
        assert.deepEqual(
          [server.status, server.problem, processes(server)],
          ['failed', 'The server stopped when it started, with code 4.', starts],
        );
      }
    });

    it('tells the model that its tool cannot run, and why', async () => {
      const server = hostile(['dieAtStart'], {});
      assert.equal(
        text(await call(server, 'slow')),
        'error: The server "tested" does not run. The server stopped when it started, with code 3.',
      );
    });

    it('is not started over and over: each wait is twice as long, until the user restarts it', async () => {
      const server = hostile(['dieAtStart'], { firstWaitMs: 60_000, longestWaitMs: 200_000 });
      await server.start(NEVER);
      await server.start(NEVER);
      assert.match(
        server.problem ?? '',
        /^The server stopped when it started, with code 3\. Loupe starts the server again in (?:60|59) seconds\. You can also restart it now\.$/,
      );
      const starts = (): number => rig.changes.filter((change) => change === 'tested starting').length;
      assert.equal(starts(), 1);
      await server.restart(NEVER);
      assert.equal(starts(), 2);
    });

    it('says how often it failed in a row', async () => {
      const often = hostile(['dieAtStart'], { firstWaitMs: 1 });
      // The wait doubles, so one of the starts falls into it.
      while (often.problem?.includes('times in a row') !== true) {
        await often.start(NEVER);
      }
      assert.match(
        often.problem,
        /^The server stopped when it started, with code 3\. The server failed \d+ times in a row\. Loupe starts the server again in 1 second/,
      );
    });

    it('offers an endless list of tools', async () => {
      const server = hostile(['endless'], {});
      await server.start(NEVER);
      assert.equal(server.status, 'failed');
      assert.match(server.problem ?? '', /^Loupe could not read the server's list of tools: .+\.$/);
    });
  });

  it('offers tools that no request could hold: they are left out, and its log says so', async () => {
    const server = hostile(['largeTools'], {});
    await server.start(NEVER);
    assert.equal(server.status, 'running');
    const [first, ...others] = server.tools.map(({ name }) => name);
    // 1 MiB has room for 20 of them, and then still for a small one.
    assert.deepEqual([first, others.length, server.tools.some(({ name }) => name === 'slow')], ['flood', 21, true]);
    assert.match(server.log, /the tool "large99" of the server: it has 48\.9 KiB \(limit 1 MiB for all tools\)\./);
    assert.ok(JSON.stringify([...rig.kept.values()]).length < 1_100_000, 'what is kept for the next start');
  });

  describe('knows only an older revision', () => {
    // A server that starts slower than the wait gets `initialize` before it reads the question.
    for (const [what, probeMs] of [
      ['at once', MCP_LIMITS.probeMs],
      ['after a slow start', 1],
    ] as const) {
      it(`and ends at the question for it ${what} is started again without the question`, async () => {
        const server = hostile(['dieAtQuestion'], { probeMs });
        assert.equal(text(await call(server, 'large', { bytes: 4 })), 'ää');
        assert.equal(server.status, 'running');
        const restarts = (): number => server.log.split('The server ended before it answered.').length - 1;
        assert.equal(restarts(), 1);
        await server.restart(NEVER);
        assert.deepEqual([server.status, restarts()], ['running', 1]);
      });
    }

    it('and does not answer the question is asked in the older way', async () => {
      const server = hostile(['silentQuestion'], {});
      assert.equal(text(await call(server, 'large', { bytes: 4 })), 'ää');
    });
  });

  describe('fails in the middle of a call', () => {
    it('ends: the model is told, and the next call starts it again', async () => {
      const server = hostile([], { firstWaitMs: 0 });
      assert.equal(
        text(await call(server, 'die')),
        'error: The server "tested" broke off in the middle of the call. The server ended with code 7.',
      );
      assert.deepEqual([server.status, server.problem], ['failed', 'The server ended with code 7.']);
      assert.equal(
        text(await call(server, 'kill')),
        'error: The server "tested" broke off in the middle of the call. The server ended by the signal SIGKILL.',
      );
      assert.equal(text(await call(server, 'large', { bytes: 2 })), 'ä');
      assert.equal(server.status, 'running');
    });

    it('hangs: the call ends in time, the server is told so and stays', async () => {
      const server = hostile([], { silentCallMs: 1_000 });
      assert.equal(
        text(await call(server, 'hang')),
        'error: The server "tested" sent neither an answer nor progress for 1 second. Loupe cancelled the call.',
      );
      assert.match(text(await call(server, 'cancelled')), /^\[\d+\]$/);
    });

    it('hangs, and is stopped by the user: the server is told', async () => {
      const server = hostile([], {});
      await server.start(NEVER);
      const stop = new AbortController();
      const stopped = server.call('hang', {}, { ...callOptions(new Map()), signal: stop.signal });
      // Writes are in order, so the server has the earlier call.
      await call(server, 'cancelled');
      stop.abort(new Error('stopped by the user'));
      await assert.rejects(stopped, /stopped by the user/);
      assert.match(text(await call(server, 'cancelled')), /^\[\d+\]$/);
    });

    it('sends progress without end: there is a hard limit', async () => {
      const server = hostile([], { silentCallMs: 5_000, longestCallMs: 400 });
      assert.equal(text(await call(server, 'busy')), 'error: The call to the server "tested" took more than 1 minute. Loupe cancelled it.');
    });

    it('sends a result of another shape', async () => {
      const server = hostile([], {});
      assert.match(text(await call(server, 'noResult')), /^error: The server "tested" /);
      assert.equal(server.status, 'running');
    });
  });

  describe('mixes up its messages', () => {
    it('answers twice, or to nobody: the first answer counts, and the log says so', async () => {
      const server = hostile([], {});
      assert.equal(text(await call(server, 'twice')), 'the first');
      assert.equal(text(await call(server, 'unknown')), 'for that');
      assert.match(server.log, /unknown message ID/);
    });

    it('answers out of order: each call has its own answer', async () => {
      const server = hostile([], {});
      await server.start(NEVER);
      const outcomes = await Promise.all(['a', 'b', 'c'].map((each) => call(server, 'swapped', { text: each })));
      assert.deepEqual(outcomes.map(text), ['a', 'b', 'c']);
    });

    it('writes garbage beside them: that is in the log', async () => {
      const server = hostile(['garbage'], {});
      assert.equal(text(await call(server, 'garbage')), 'beside garbage');
      assert.match(server.log, /a line that is not an MCP message: Listening on port 3000\n/);
      assert.match(server.log, /a line that is not an MCP message: Ready!\n/);
      assert.match(server.log, /a line that is not an MCP message: \[{200}\n/);
    });

    it('changes its tools: they are read again, and a listener learns of it', async () => {
      const server = hostile([], {});
      await server.start(NEVER);
      rig.changes.length = 0;
      await call(server, 'change');
      await rig.until(() => rig.changes.includes('tested tools'));
      assert.deepEqual(column(server.tools, 'name'), ['another', 'flood', 'slow']);
    });

    it('asks for a model or for folders: it gets neither', async () => {
      const server = hostile([], {});
      assert.match(text(await call(server, 'sample')), /-32601/);
      assert.match(text(await call(server, 'roots')), /-32601/);
    });
  });

  it('writes without end and without a line break is ended', async () => {
    const server = hostile([], { firstWaitMs: 60_000, messageBytes: 4 * MIB });
    const [pid = 0] = await pidsOf(server);
    const before = process.memoryUsage.rss();
    const problem = 'The server sent a message of more than 4 MiB. Loupe ended the connection.';
    assert.equal(text(await call(server, 'flood')), `error: The server "tested" broke off in the middle of the call. ${problem}`);
    assert.deepEqual([server.problem, isRunning(pid)], [problem, false]);
    assert.ok(process.memoryUsage.rss() - before < 200 * MIB);
  });

  for (const tool of ['floodLines', 'floodMessages']) {
    it(`writes without end (${tool}) leaves others their turn, and can be stopped`, async () => {
      const server = hostile([], {});
      const [pid = 0] = await pidsOf(server);
      const flooded = call(server, tool);
      // Turns of the event loop while the output is read.
      for (let turn = 0; turn < 100; turn += 1) {
        await setImmediate();
      }
      await server.stop();
      assert.match(text(await flooded), /The server was stopped\.$/);
      assert.deepEqual([isRunning(pid), server.log.length <= MCP_LIMITS.logBytes], [false, true]);
    });
  }

  describe('sends a large result', () => {
    it('is read whole up to the limit', async () => {
      const server = hostile([], {});
      const outcome = await call(server, 'large', { bytes: 5 * MIB });
      assert.equal(Buffer.byteLength(text(outcome)), 5 * MIB);
    });

    it('is cut beyond, at a whole character, and the model is told', async () => {
      const server = hostile([], { resultBytes: 1_001 });
      const { content } = await call(server, 'large', { bytes: 5_000 });
      assert.deepEqual(content, [
        { type: 'text', text: 'ä'.repeat(500) },
        { type: 'text', text: '[Loupe cut this result: it had 4.9 KiB, and at most 1 KiB are kept.]' },
      ]);
    });
  });

  describe('has secrets', () => {
    const SECRET = 'tok-93-abcdef-0x-ghijkl';

    it('shows none of them in its log or in an error', async () => {
      const server = hostile([], {}, { API_TOKEN: SECRET });
      assert.equal(text(await call(server, 'says')), 'said');
      assert.match(
        text(await call(server, 'error')),
        /^error: The server "tested" answered with an error: .*The token \[key\] is refused\.$/,
      );
      assert.match(server.log, /Connecting with \[key\]\n/);
      assert.doesNotMatch(server.log, /abcdef/);
    });

    it('gets of our environment only what programs need', async () => {
      process.env['LOUPE_TEST_SECRET'] = SECRET;
      const server = hostile([], {}, { OWN: 'yes', TWICE: '${env:LOUPE_TEST_SECRET}' });
      const env = JSON.parse(text(await call(server, 'env'))) as Record<string, string>;
      delete process.env['LOUPE_TEST_SECRET'];
      assert.deepEqual([env['OWN'], env['TWICE'], env['LOUPE_TEST_SECRET']], ['yes', SECRET, undefined]);
      assert.equal(env['PATH'], process.env['PATH']);
    });
  });

  describe('is stopped', () => {
    const WORDS = [[], ['grandchild'], ['ignoreTerm'], ['ignoreTerm', 'grandchild']] as const;
    for (const words of WORDS) {
      it(`leaves no process behind: ${words.length === 0 ? 'one that behaves' : words.join(', ')}`, async () => {
        const server = hostile(words, {});
        const pids = (await pidsOf(server)).filter((pid) => pid > 0);
        assert.equal(pids.length, words.some((word) => word === 'grandchild') ? 2 : 1);
        const expected = pids.map(() => true);
        assert.deepEqual(pids.map(isRunning), expected);
        await server.stop();
        assert.deepEqual([pids.map(isRunning), server.status], [pids.map(() => false), 'stopped']);
      });
    }

    it('leaves no process behind when it ends by itself and its child does not', async () => {
      const server = hostile(['grandchild'], {});
      const pids = await pidsOf(server);
      await call(server, 'die');
      assert.deepEqual(pids.map(isRunning), [false, false]);
      assert.equal(server.problem, 'The server ended with code 7.');
    });

    it('in the middle of a call tells the model so', async () => {
      const server = hostile([], {});
      await server.start(NEVER);
      const hanging = call(server, 'hang');
      await call(server, 'cancelled');
      await server.stop();
      assert.equal(text(await hanging), 'error: The server "tested" broke off in the middle of the call. The server was stopped.');
      assert.deepEqual([server.status, server.problem], ['stopped', null]);
    });

    it('in the middle of its start is gone, too, and has not failed', async () => {
      const server = hostile(['neverReady'], { startMs: 60_000, probeMs: 60_000 });
      const started = server.start(NEVER);
      await rig.until(() => server.status === 'starting');
      await server.stop();
      await started;
      assert.deepEqual([server.status, server.problem], ['stopped', null]);
    });

    it('because its configuration has changed: another server takes its place', async () => {
      const server = hostile([], {});
      const [pid = 0] = await pidsOf(server);
      const next = rig.server({ command: process.execPath, args: [SCRIPT, 'garbage'] });
      assert.notEqual(next.identity, server.identity);
      await rig.until(() => server.status === 'stopped');
      assert.deepEqual([isRunning(pid), next.status], [false, 'stopped']);
    });
  });
});
