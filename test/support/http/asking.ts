import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import { UNRECORDED } from '../../../src/engine/model/httpExchange.js';
import type { Endpoint } from '../../../src/providers/endpoint.js';
import type { ProviderResponse } from '../../../src/providers/http/answer.js';
import { request } from '../../../src/providers/http/request.js';
import { EventLoopTurns } from '../../../src/providers/http/turns.js';

export const OPEN = new AbortController().signal;

/** Posts a body to the endpoint. Without a body it gets. */
export function ask(endpoint: Endpoint, body: string | null, signal: AbortSignal): Promise<ProviderResponse> {
  const asked = { url: `${endpoint.baseUrl}/v1`, headers: {}, keyHeader: 'authorization', body, use: 'user' } as const;
  return request(endpoint, { ...asked, signal, exchanged: UNRECORDED });
}

export interface Read {
  readonly values: readonly unknown[];
  readonly error: LoupeError | null;
}

export async function read(endpoint: Endpoint): Promise<Read> {
  const values: unknown[] = [];
  try {
    for await (const value of (await ask(endpoint, '{}', OPEN)).events(new EventLoopTurns())) {
      values.push(value);
    }
  } catch (thrown) {
    assert.ok(thrown instanceof LoupeError, `not an error of ours: ${String(thrown)}`);
    return { values, error: thrown };
  }
  return { values, error: null };
}
