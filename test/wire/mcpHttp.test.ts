import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/engine/json.js';
import type { McpLimits } from '../../src/tools/mcp/limits.js';
import type { McpServer } from '../../src/tools/mcp/mcpServer.js';
import { column, columns } from '../support/columns.js';
import { serveHttp, Shared } from '../support/mcp/newestServer.mjs';
import { ended, freePort, startEverything } from '../support/mcp/everything.js';
import { callOptions, McpRig, NEVER } from '../support/mcp/rig.js';

const MIB = 1024 * 1024;
/** The server loads its packages, which takes a second on a busy computer. */
const START_MS = 30_000;

async function text(server: McpServer, tool: string, args: JsonObject): Promise<string> {
  const { content } = await server.call(tool, args, callOptions(new Map()));
  return content.map((item) => (item.type === 'text' ? item.text : `<${item.type}>`)).join('\n');
}

describe('an MCP server over HTTP', function () {
  this.timeout(START_MS);
  let rig: McpRig;

  afterEach(async () => {
    await rig.servers.dispose();
    assert.deepEqual(rig.errors, []);
  });

  describe('with sessions', () => {
    let program: ChildProcess;
    let port: number;

    const startProgram = async (): Promise<void> => {
      program = await startEverything('streamableHttp', port);
    };

    before(async () => {
      port = await freePort();
      await startProgram();
    });

    after(() => ended(program));

    it('runs tools, tells progress, and gives images', async () => {
      rig = new McpRig({});
      const server = rig.server({ type: 'http', url: `http://127.0.0.1:${String(port)}/mcp` });
      assert.equal(await text(server, 'echo', { message: 'over HTTP' }), 'Echo: over HTTP');
      assert.match(await text(server, 'get-tiny-image', {}), /<image>/);
      const done: number[] = [];
      const options = { ...callOptions(new Map()), onProgress: (progress: { readonly done: number }) => void done.push(progress.done) };
      await server.call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, options);
      assert.equal(done[0], 1);
    });

    it('goes on with the next call when one is stopped', async () => {
      rig = new McpRig({});
      const server = rig.server({ url: `http://127.0.0.1:${String(port)}/mcp` });
      const stop = new AbortController();
      const onProgress = (): void => {
        stop.abort(new Error('stopped by the user'));
      };
      const options = { ...callOptions(new Map()), signal: stop.signal, onProgress };
      await assert.rejects(server.call('trigger-long-running-operation', { duration: 60, steps: 600 }, options), /stopped by the user/);
      assert.equal(await text(server, 'echo', { message: 'still here' }), 'Echo: still here');
    });

    it('breaks off a call when it ends, and is found again when it is back', async () => {
      rig = new McpRig({ silentCallMs: 10_000 });
      const server = rig.server({ url: `http://127.0.0.1:${String(port)}/mcp` });
      await server.start(NEVER);
      const onProgress = (): void => void program.kill('SIGKILL');
      const ended = once(program, 'exit');
      const broken = await server.call(
        'trigger-long-running-operation',
        { duration: 60, steps: 600 },
        { ...callOptions(new Map()), onProgress },
      );
      assert.equal(broken.isError, true);
      assert.match(JSON.stringify(broken.content), /The server \\"tested\\" .*The answer ended before it was complete\./);
      await ended;
      assert.match(await text(server, 'echo', { message: 'x' }), /^No server answers at 127\.0\.0\.1:\d+\./);
      await startProgram();
      // It does not know our session.
      assert.equal(await text(server, 'echo', { message: 'again' }), 'Echo: again');
    });
  });

  describe('without sessions', () => {
    let shared: Shared;
    let peer: Awaited<ReturnType<typeof serveHttp>>;

    beforeEach(async () => {
      shared = new Shared();
      peer = await serveHttp(shared);
      rig = new McpRig({});
    });

    afterEach(async () => {
      await rig.servers.dispose();
      await peer.close();
    });

    it('runs tools by the newest revision', async () => {
      const server = rig.server({ url: peer.url });
      assert.equal(await text(server, 'say', { text: 'hello' }), 'say: hello');
      assert.deepEqual(
        [server.status, columns(server.tools, 'name', 'saysItOnlyReads')],
        [
          'running',
          [
            ['greet', false],
            ['say', true],
          ],
        ],
      );
      assert.ok(peer.methods.includes('server/discover'));
      assert.ok(!peer.methods.includes('initialize'));
    });

    it('reads the tools again when the time that they hold for is over, and not before', async () => {
      const server = rig.server({ url: peer.url });
      const lists = (): number => peer.methods.filter((method) => method === 'tools/list').length;
      await server.start(NEVER);
      await server.start(NEVER);
      assert.equal(lists(), 1);
      await server.stop();
      shared.ttlMs = 0;
      await server.start(NEVER);
      shared.tools.push('sing');
      await server.start(NEVER);
      assert.deepEqual([lists(), server.tools.map(({ name }) => name)], [3, ['greet', 'say', 'sing']]);
    });

    it('reads the tools again when the server says that they have changed', async () => {
      const server = rig.server({ url: peer.url });
      await server.start(NEVER);
      shared.tools.push('sing');
      peer.notify();
      await rig.until(() => server.tools.length === 3);
      assert.deepEqual(column(server.tools, 'name'), ['greet', 'say', 'sing']);
    });
  });

  describe('that has only the transport SSE', () => {
    let program: ChildProcess;
    let url: string;

    before(async () => {
      const port = await freePort();
      program = await startEverything('sse', port);
      url = `http://127.0.0.1:${String(port)}/sse`;
    });

    after(() => ended(program));

    for (const type of ['sse', 'http', 'streamable-http'] as const) {
      it(`runs tools and tells progress, with the type ${type} in its configuration`, async () => {
        rig = new McpRig({});
        const server = rig.server({ type, url });
        assert.equal(await text(server, 'echo', { message: 'by SSE' }), 'Echo: by SSE');
        const done: number[] = [];
        const options = { ...callOptions(new Map()), onProgress: (progress: { readonly done: number }) => void done.push(progress.done) };
        await server.call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, options);
        assert.equal(done[0], 1);
      });
    }

    it('breaks off a call when it ends', async () => {
      rig = new McpRig({});
      const server = rig.server({ url });
      await server.start(NEVER);
      const onProgress = (): void => void program.kill('SIGKILL');
      const options = { ...callOptions(new Map()), onProgress };
      const broken = await server.call('trigger-long-running-operation', { duration: 60, steps: 600 }, options);
      assert.equal(broken.isError, true);
      assert.match(JSON.stringify(broken.content), /broke off in the middle of the call/);
      await rig.until(() => server.status !== 'running');
    });
  });

  describe('that misbehaves', () => {
    let web: Server;
    let url: string;
    let serve: (request: IncomingMessage, response: ServerResponse) => void;

    before(async () => {
      web = createServer((request, response) => {
        serve(request, response);
      }).listen(0, '127.0.0.1');
      await once(web, 'listening');
      url = `http://127.0.0.1:${String((web.address() as AddressInfo).port)}/mcp`;
    });

    after(() => {
      web.closeAllConnections();
      web.close();
    });

    const problemOf = async (entry: object, limits: Partial<McpLimits>, answer: typeof serve): Promise<string | null> => {
      serve = answer;
      rig = new McpRig(limits);
      const server = rig.server(entry);
      await server.start(NEVER);
      assert.equal(server.status, 'failed');
      return server.problem;
    };

    it('gets the configured headers, and none of them elsewhere', async () => {
      const seen: (string | undefined)[] = [];
      const problem = await problemOf({ url, headers: { Authorization: 'Bearer abcdefgh' } }, {}, (request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere?key=abcdefgh' }).end();
      });
      assert.deepEqual(new Set(seen), new Set(['Bearer abcdefgh']));
      assert.equal(
        problem,
        'The server redirects to http://127.0.0.1:9/elsewhere. Loupe does not follow the redirect, to protect the values of "headers". If that address is right, use it as "url".',
      );
    });

    it('refuses access', async () => {
      const refused = (entry: object, status: number): Promise<string | null> =>
        problemOf(entry, {}, (_request, response) => response.writeHead(status).end('who are you'));
      assert.equal(await refused({ url }, 403), 'The server refused access (HTTP 403). Check "headers".');
      const withToken = { url, headers: { Authorization: 'Bearer abcdefgh' } };
      assert.equal(await refused(withToken, 401), 'The server refused access (HTTP 401). Check "headers".');
      assert.equal(await refused({ url }, 401), 'The server wants you to sign in.');
    });

    it('is another kind of server', async () => {
      const page = await problemOf({ url }, {}, (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
      );
      assert.equal(page, 'The server does not speak MCP: its first answer was not an MCP message.');
      const missing = await problemOf({ url }, {}, (_request, response) => response.writeHead(404).end('no such page'));
      assert.equal(missing, 'The server answered with HTTP 404. Check "url" and "headers".');
    });

    it('does not answer, or is not there', async () => {
      const silent = await problemOf({ url }, { silentCallMs: 1_000 }, () => undefined);
      assert.equal(silent, 'The server "tested" did not answer within 1 second.');
      const slow = await problemOf({ url }, { startMs: 300 }, () => undefined);
      assert.equal(slow, 'The server was not ready 1 second after its start.');
      const port = await freePort();
      const absent = await problemOf({ url: `http://127.0.0.1:${String(port)}/mcp` }, {}, () => undefined);
      assert.match(absent ?? '', /^No server answers at 127\.0\.0\.1:\d+\./);
    });

    it('sends an answer without end, whole or as events', async () => {
      const endless = (type: string, piece: string) => (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': type });
        const write = (): void => {
          while (!response.closed && response.write(piece)) {
            // Until the socket is full.
          }
        };
        response.on('drain', write);
        write();
      };
      const limits = { messageBytes: 4 * MIB };
      const whole = await problemOf({ url }, limits, endless('application/json', ' '.repeat(64 * 1024)));
      assert.equal(whole, 'The server sent an answer of more than 4 MiB. Loupe ended the connection.');
      const event = await problemOf(
        { url },
        { ...limits, probeMs: 5_000, startMs: 6_000 },
        endless('text/event-stream', `data: ${'x'.repeat(1_000)}\n`),
      );
      assert.match(event ?? '', /^The server (?:sent a message of more than 4 MiB|does not speak MCP)/);
    });
  });
});
