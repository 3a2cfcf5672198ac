import { STATUS_CODES } from 'node:http';
import type { Step } from './faultServer.js';

type Headers = Readonly<Record<string, string>>;

/** The head of an answer without a length: its body ends with the connection, so a client cannot notice a cut. */
export function head(status: number, headers: Headers): Step {
  return { do: 'send', bytes: rawHead(status, { connection: 'close', ...headers }) };
}

/**
 * The head of a chunked answer, as real servers stream. Without the last chunk a client notices the cut, but only with
 * keep-alive: Node's `fetch` takes the end of any other connection as the end of the answer.
 */
export function chunkedHead(status: number, headers: Headers): Step {
  return { do: 'send', bytes: rawHead(status, { 'transfer-encoding': 'chunked', ...headers }) };
}

export function chunk(bytes: Uint8Array | string): Step {
  const body = Buffer.from(bytes);
  return { do: 'send', bytes: Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]) };
}

const LAST_CHUNK: Step = { do: 'send', bytes: '0\r\n\r\n' };

export function answer(status: number, headers: Headers, body: Uint8Array | string): Step[] {
  const bytes = Buffer.from(body);
  return [head(status, { 'content-length': String(bytes.length), ...headers }), { do: 'send', bytes }];
}

export function json(status: number, value: unknown): Step[] {
  return answer(status, { 'content-type': 'application/json' }, JSON.stringify(value));
}

/** A complete event stream with one chunk per text. */
export function events(...texts: readonly (Uint8Array | string)[]): Step[] {
  return [chunkedHead(200, { connection: 'close', ...EVENT_STREAM }), ...texts.map(chunk), LAST_CHUNK];
}

export const EVENT_STREAM: Headers = { 'content-type': 'text/event-stream; charset=utf-8' };

function rawHead(status: number, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? 'Strange'}\r\n${lines.join('')}\r\n`;
}
