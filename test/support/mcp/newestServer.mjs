// A server of the newest revision, which has no sessions, by the official SDK.
//
//   node newestServer.mjs     over stdio
//
// `serveHttp` serves the same over HTTP, in the process of the test.

import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const TEXT = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });

/** Shared by all servers of a process: servers of this revision keep no state of their clients. */
export class Shared {
  /** The lifetime of a list of tools in ms. */
  ttlMs = 60_000;
  /** How often the list was read. */
  lists = 0;
  /** @type {string[]} */
  tools = ['say'];
}

/** @param {Shared} shared */
export function newestServer(shared) {
  const server = new McpServer(
    { name: 'newest', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } }, cacheHints: { 'tools/list': { ttlMs: shared.ttlMs, cacheScope: 'private' } } },
  );
  shared.lists += 1;
  for (const name of shared.tools) {
    server.registerTool(name, { description: `Does ${name}.`, inputSchema: TEXT, annotations: { readOnlyHint: true } }, async (args) => ({
      content: [{ type: 'text', text: `${name}: ${/** @type {any} */ (args).text}` }],
    }));
  }
  server.registerTool('greet', { description: 'Asks who is there.' }, async ({ mcpReq }) => {
    const answer = /** @type {any} */ (mcpReq.inputResponses?.['who']);
    if (answer === undefined) {
      const requestedSchema = { type: /** @type {const} */ ('object'), properties: { name: { type: /** @type {const} */ ('string') } } };
      return inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Who is there?', requestedSchema }) } });
    }
    return { content: [{ type: 'text', text: `${answer.action} ${answer.content?.name ?? ''}` }] };
  });
  return server;
}

/**
 * @param {Shared} shared
 * @returns {Promise<{ url: string, notify: () => void, methods: string[], close: () => Promise<void> }>}
 */
export async function serveHttp(shared) {
  const handler = createMcpHandler(() => newestServer(shared));
  /** @type {string[]} */
  const methods = [];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = Buffer.concat(await incoming.toArray());
      const headers = new Headers(/** @type {Record<string, string>} */ (incoming.headers));
      methods.push(headers.get('mcp-method') ?? incoming.method ?? '');
      const aborted = new AbortController();
      outgoing.once('close', () => {
        aborted.abort();
      });
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        ...(body.length === 0 ? {} : { body }),
        signal: aborted.signal,
      });
      const response = await handler.fetch(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body === null) outgoing.end();
      else
        Readable.fromWeb(/** @type {any} */ (response.body))
          .on('error', () => outgoing.destroy())
          .pipe(outgoing);
    })();
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    notify: () => {
      handler.notify.toolsChanged();
    },
    methods,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) serveStdio(() => newestServer(new Shared()));
