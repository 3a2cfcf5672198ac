import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/engine/json.js';
import { column } from '../support/columns.js';
import { callOptions, McpRig, NEVER } from '../support/mcp/rig.js';

const SCRIPT = join(process.cwd(), 'test/support/mcp/hostileServer.mjs');

/** A server that writes null for each member without a value. */
const ANSWERS: Readonly<Record<string, Json>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: null }, prompts: {}, logging: null },
    serverInfo: { name: 'nulls', version: '1', title: null, icons: null },
    instructions: null,
    _meta: null,
  },
  'tools/list': { tools: [{ name: 'good', inputSchema: { type: 'object' } }], nextCursor: null, _meta: null },
  'tools/call': { content: [{ type: 'text', text: 'good "_meta": null\u2028' }], structuredContent: { _meta: null }, _meta: null },
  'prompts/list': { prompts: [{ name: 'good' }], nextCursor: null, _meta: null },
};

type Transport = 'stdio' | 'JSON over HTTP' | 'events over HTTP';

describe('an MCP server that writes null for "_meta" of its results', function () {
  this.timeout(30_000);
  let rig: McpRig;
  let http: Server;

  beforeEach(() => {
    rig = new McpRig({});
  });

  afterEach(async () => {
    await rig.servers.dispose();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    assert.deepEqual(rig.errors, []);
  });

  const entry = async (transport: Transport): Promise<object> => {
    http = createServer((request, response) => {
      void bodyOf(request).then(({ id, method }) => {
        const result = ANSWERS[method as string];
        if (request.method !== 'POST' || id === undefined) {
          response.writeHead(request.method === 'POST' ? 202 : 405).end();
          return;
        }
        const error = { code: -32_601, message: 'Method not found' };
        const message = JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
        const isEvent = transport === 'events over HTTP';
        response.writeHead(200, { 'content-type': isEvent ? 'text/event-stream' : 'application/json' });
        const body = Buffer.from(isEvent ? `: begin\r\nevent: message\r\ndata: ${message}\r\n\r\n` : message);
        // The first of two chunks ends inside of the message.
        response.write(body.subarray(0, body.length / 2), () => response.end(body.subarray(body.length / 2)));
      });
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return transport === 'stdio'
      ? { command: process.execPath, args: [SCRIPT, `answers=${JSON.stringify(ANSWERS)}`] }
      : { type: 'http', url: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp` };
  };

  for (const transport of ['stdio', 'JSON over HTTP', 'events over HTTP'] as const) {
    it(`starts, lists and runs its tools, by ${transport}`, async () => {
      const server = rig.server(await entry(transport));
      await server.start(NEVER);
      assert.deepEqual([server.status, server.problem], ['running', null]);
      assert.deepEqual(column(server.tools, 'name'), ['good']);
      assert.deepEqual(column(await server.listPrompts(NEVER), 'name'), ['good']);
      const { content, isError } = await server.call('good', {}, callOptions(new Map()));
      assert.deepEqual([content, isError], [[{ type: 'text', text: 'good "_meta": null\u2028' }], false]);
    });
  }
});

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const text = Buffer.concat(await request.toArray()).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as JsonObject);
}
