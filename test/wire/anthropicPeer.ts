import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { applyPiece, pieceOf, type GrowingReply, type Reply } from '../../src/engine/chat/message/reply.js';
import { LoupeError } from '../../src/engine/errors.js';
import type { StreamPart } from '../../src/engine/model/model.js';
import { AnthropicClient } from '../../src/providers/anthropic/anthropicClient.js';
import type { Endpoint } from '../../src/providers/endpoint.js';

export const OPEN = new AbortController().signal;

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: Received) => void;

/** A local server with scripted answers. Keeps the received requests. */
export class Peer {
  readonly received: Received[] = [];
  answer: Answer = (response) => response.end();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Peer> {
    const server = createServer();
    const peer = new Peer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void readText(request).then((body) => {
        const received = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
        peer.received.push(received);
        peer.answer(response, received);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return peer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function endpoint(baseUrl: string, change: Partial<Endpoint>): Endpoint {
  return {
    id: 'house',
    label: 'House',
    baseUrl,
    headers: {},
    keyHeader: null,
    silenceMs: 5_000,
    key: () => Promise.resolve('the-key'),
    ...change,
  };
}

export function client(baseUrl: string): AnthropicClient {
  return new AnthropicClient(endpoint(baseUrl, {}));
}

export interface Outcome {
  readonly parts: readonly StreamPart[];
  readonly error: LoupeError | null;
}

export async function outcome(stream: AsyncIterable<StreamPart>): Promise<Outcome> {
  const parts: StreamPart[] = [];
  try {
    for await (const part of stream) {
      parts.push(part);
    }
  } catch (thrown) {
    assert.ok(thrown instanceof LoupeError, String(thrown));
    return { parts, error: thrown };
  }
  return { parts, error: null };
}

export function replyOf(parts: readonly StreamPart[]): Reply {
  const reply: GrowingReply = [];
  for (const part of parts) {
    if (part.type !== 'end' && part.type !== 'usage' && part.type !== 'begin' && part.type !== 'image') {
      applyPiece(reply, pieceOf(reply, part));
    }
  }
  return reply;
}

/** Sends pieces as separate chunks, so that the client's parser sees them separately. */
export function chunks(...pieces: readonly Uint8Array[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
    }
    response.end();
  };
}

export function cut(piece: Uint8Array): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    response.write(piece, () => response.destroy());
  };
}

export function json(status: number, body: unknown): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}
