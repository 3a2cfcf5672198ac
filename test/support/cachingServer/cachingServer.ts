import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fingerprints } from './anthropicDiagnostics.js';
import { checkAccess, sentKey } from './access.js';
import { AutomaticCache } from './automaticCache.js';
import { answer, type Answer, countTokens, type Incoming, ScriptedFailure, type Service } from './exchange.js';
import { MarkedCache } from './markedCache.js';
import { anthropicModels, openaiModels } from './modelList.js';
import type { CachingServerOptions, Protocol, RequestRecord } from './options.js';
import { errorBody, invalid, Refusal } from './refusal.js';
import { describeSizes } from './replies.js';
import { quarterCounter } from './tokens.js';
import { isTrue, parseWireJson, stringMember, type WireNode } from './wireJson.js';

/**
 * A local server that caches as the providers document it. It shares no code with Loupe. It supports Anthropic's
 * Messages API and OpenAI's Chat Completions for each model, reads the request's exact text, and reports the usage that
 * a provider would bill.
 */
export interface CachingServer {
  /** Without `/v1`. */
  readonly url: string;
  /** Requests for replies, in the order of their answers. */
  readonly requests: readonly RequestRecord[];
  advance(ms: number): void;
  stop(): Promise<void>;
}

const DEFAULT_MODELS = [{ id: 'practice' }];

export async function startCachingServer(options: CachingServerOptions): Promise<CachingServer> {
  let advanced = 0;
  const service: Service = {
    models: options.models ?? DEFAULT_MODELS,
    counter: options.counter ?? quarterCounter,
    reply: options.reply ?? describeSizes,
    marked: new MarkedCache(),
    automatic: new AutomaticCache(options.counter ?? quarterCounter),
    fingerprints: new Fingerprints(),
    now: () => (options.now?.() ?? 0) + advanced,
  };
  const { key } = options;
  const house = new House(service, typeof key === 'string' ? [key] : (key ?? []));
  const server = createServer((request, response) => {
    void house.serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: house.requests,
    advance: (ms) => {
      advanced += ms;
    },
    stop: () => stop(server),
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error === undefined) {
        resolve();
      } else {
        reject(error);
      }
    });
    server.closeAllConnections();
  });
}

class House {
  readonly requests: RequestRecord[] = [];
  private readonly service: Service;
  private readonly keys: readonly string[];
  private count = 0;

  constructor(service: Service, keys: readonly string[]) {
    this.service = service;
    this.keys = keys;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.count += 1;
    const number = this.count;
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const protocol = protocolOf(path, request);
    try {
      const body = await readBody(request);
      checkAccess(protocol, request.headers, this.keys);
      if (request.method === 'GET' && path === '/v1/models') {
        const list = protocol === 'anthropic' ? anthropicModels : openaiModels;
        await writeAnswer(response, { usage: null, body: list(this.service.models), headers: {}, halfWay: null });
      } else {
        const incoming = readIncoming(request, { protocol, path, body, number });
        await this.answer(incoming, response);
      }
    } catch (error) {
      writeError(response, { protocol, error, number });
    }
  }

  private async answer(incoming: Incoming, response: ServerResponse): Promise<void> {
    const { node, number: _, ...known } = incoming;
    const record = { ...known, model: stringMember(node, 'model') ?? '' };
    try {
      const isCount = incoming.path === '/v1/messages/count_tokens';
      const answered = isCount ? countTokens(incoming, this.service) : await answer(incoming, this.service);
      this.requests.push({ ...record, status: 200, usage: answered.usage, error: null });
      await writeAnswer(response, answered);
    } catch (error) {
      const { status, message } = refusalOf(error);
      this.requests.push({ ...record, status, usage: null, error: message });
      throw error;
    }
  }
}

const MODEL_PATHS: Readonly<Record<string, Protocol>> = {
  '/v1/messages': 'anthropic',
  '/v1/messages/count_tokens': 'anthropic',
  '/v1/chat/completions': 'openai',
};

/** By the path. For common paths, by the headers that only Anthropic needs. */
function protocolOf(path: string, { headers }: IncomingMessage): Protocol {
  const isAnthropic = headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined;
  return MODEL_PATHS[path] ?? (isAnthropic ? 'anthropic' : 'openai');
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readIncoming(
  { method, headers }: IncomingMessage,
  { protocol, path, body, number }: { protocol: Protocol; path: string; body: string; number: number },
): Incoming {
  if (method !== 'POST' || MODEL_PATHS[path] === undefined) {
    throw new Refusal(404, `Not found: ${method ?? ''} ${path}`, { code: null, param: null });
  }
  const node = parseBody(body);
  const json = JSON.parse(body) as unknown;
  return { protocol, path, key: sentKey(headers), headers, body, json, stream: isTrue(node, 'stream'), node, number };
}

function parseBody(body: string): WireNode {
  try {
    return parseWireJson(body);
  } catch (error) {
    throw error instanceof SyntaxError ? invalid(`The request body is not valid JSON: ${error.message}`) : error;
  }
}

async function writeAnswer(response: ServerResponse, { body, headers, halfWay }: Answer): Promise<void> {
  if (!Array.isArray(body)) {
    response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  const half = Math.ceil(body.length / 2);
  for (const [at, event] of body.entries()) {
    if (at === half && (await halfWay?.()) === 'break') {
      // `destroy` would drop written bytes that are not sent yet.
      response.socket?.end();
      return;
    }
    response.write(event);
  }
  response.end();
}

function writeError(response: ServerResponse, { protocol, error, number }: { protocol: Protocol; error: unknown; number: number }): void {
  const refusal = refusalOf(error);
  const headers = refusal instanceof ScriptedFailure ? refusal.headers : {};
  const body = errorBody(protocol, refusal, `req_${number}`);
  response.writeHead(refusal.status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Other errors come from a test's own reply or from this server: status 500. */
function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(500, String(error), { code: null, param: null });
}
