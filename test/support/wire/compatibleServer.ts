import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UNRECORDED } from '../../../src/engine/model/httpExchange.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { StreamPart } from '../../../src/engine/model/model.js';
import type { Endpoint } from '../../../src/providers/endpoint.js';
import { OpenAiCompatibleClient } from '../../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { MODEL } from '../../unit/openaiCompatible/support.js';

export const never = new AbortController().signal;
export const request = { body: '{"model":"m","messages":[]}', converterVersion: 'test' };

export function endpointAt(origin: string, change: Partial<Endpoint>): Endpoint {
  return {
    id: 'house',
    label: 'House',
    baseUrl: `${origin}/v1`,
    headers: {},
    keyHeader: null,
    silenceMs: 5_000,
    key: () => Promise.resolve('the-key'),
    ...change,
  };
}

export interface Received {
  readonly parts: readonly StreamPart[];
  readonly error: unknown;
}

export function receive(client: OpenAiCompatibleClient, body: string, signal: AbortSignal): Promise<Received> {
  return receivedOf(client.stream(MODEL, { ...request, body }, signal, UNRECORDED));
}

export async function receivedOf(stream: AsyncIterable<StreamPart>): Promise<Received> {
  const parts: StreamPart[] = [];
  try {
    for await (const part of stream) {
      parts.push(part);
    }
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: null };
}

export function kindOf({ error }: Received): string | null {
  return error === null ? null : (error as LoupeError).kind;
}

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Answer = (response: ServerResponse, seen: Seen) => void | Promise<void>;

export class ScriptedServer {
  readonly seen: Seen[] = [];
  answer: Answer = (response) => void response.writeHead(500).end();
  readonly #server: Server = createServer((message, response) => void this.#serve(message, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  client(change: Partial<Endpoint>): OpenAiCompatibleClient {
    return new OpenAiCompatibleClient(endpointAt(this.origin, change));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of message) {
      pieces.push(piece as Buffer);
    }
    const seen = { method: message.method ?? '', url: message.url ?? '', headers: message.headers, body: Buffer.concat(pieces) };
    this.seen.push(seen);
    response.socket?.setNoDelay(true);
    await this.answer(response, seen);
  }
}

export const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8' };

/** Writes the pieces one by one, each after the one before is sent. */
export function inPieces(...pieces: readonly Uint8Array[]): Answer {
  return async (response) => {
    response.writeHead(200, EVENTS);
    for (const piece of pieces) {
      await new Promise((resolve) => response.write(piece, resolve));
      await new Promise(setImmediate);
    }
    response.end();
  };
}

export function json(status: number, value: unknown): Answer {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
