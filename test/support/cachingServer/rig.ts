import assert from 'node:assert/strict';
import { type CachingServer, startCachingServer } from './cachingServer.js';
import { type Answered, postMessages } from './client.js';
import type { CachingServerOptions, ModelOptions } from './options.js';

export const MINUTE = 60_000;
export const MARK = { cache_control: { type: 'ephemeral' } };
export const HOUR_MARK = { cache_control: { type: 'ephemeral', ttl: '1h' } };

export function words(name: string, tokens: number): string {
  return name.padEnd(tokens * 4, '.');
}

export function block(name: string, tokens: number): { type: 'text'; text: string } {
  return { type: 'text', text: words(name, tokens) };
}

/** A user message of blocks with 100 tokens each, numbered from 1. `marked` lists the marked ones. */
export function numbered(count: number, marked: readonly number[]): object {
  const content = Array.from({ length: count }, (_, index) => ({
    ...block(`block ${index + 1} `, 100),
    ...(marked.includes(index + 1) ? MARK : {}),
  }));
  return { messages: [{ role: 'user', content }] };
}

export interface Sizes {
  read?: number;
  written5m?: number;
  written1h?: number;
  fresh?: number;
}

/** The usage of a Messages API answer without its output. Default: 0. */
export function sizes({ read, written5m, written1h, fresh }: Sizes): object {
  return {
    input_tokens: fresh ?? 0,
    cache_creation_input_tokens: (written5m ?? 0) + (written1h ?? 0),
    cache_read_input_tokens: read ?? 0,
    cache_creation: { ephemeral_5m_input_tokens: written5m ?? 0, ephemeral_1h_input_tokens: written1h ?? 0 },
  };
}

export class Rig {
  private readonly servers: CachingServer[] = [];

  async start(options: CachingServerOptions): Promise<CachingServer> {
    const server = await startCachingServer(options);
    this.servers.push(server);
    return server;
  }

  startSmall(model: Omit<ModelOptions, 'id'>): Promise<CachingServer> {
    return this.start({ models: [{ id: 'practice', minimumTokens: 100, ...model }] });
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }
}

/** Adds the required members of the Messages API. */
export function send(server: CachingServer, body: object, headers: Record<string, string>): Promise<Answered> {
  return postMessages(server.url, { model: 'practice', max_tokens: 100, ...body }, headers);
}

export async function usage(server: CachingServer, body: object): Promise<object> {
  const { status, json, text } = await send(server, body, {});
  assert.equal(status, 200, text);
  const { output_tokens: _, service_tier: _tier, ...input } = (json as { usage: Record<string, unknown> }).usage;
  return input;
}

export async function refusal(server: CachingServer, body: object): Promise<string> {
  const { status, json } = await send(server, body, {});
  const { type, error } = json as { type: string; error: { type: string; message: string } };
  assert.deepEqual([status, type, error.type], [400, 'error', 'invalid_request_error']);
  return error.message;
}
