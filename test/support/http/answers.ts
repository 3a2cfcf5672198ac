import { STATUS_CODES } from 'node:http';
import type { Step } from './faultServer.js';

type Headers = Readonly<Record<string, string>>;

/** The head of an answer whose body lasts until the connection ends: a clean end cannot be told from a cut one. */
export function head(status: number, headers: Headers): Step {
  return { do: 'send', bytes: rawHead(status, { connection: 'close', ...headers }) };
}

/**
 * The head of an answer in chunks, as real servers stream. Without the last chunk a client knows that it was cut, but
 * only on a connection that was to stay open: Node's `fetch` takes the end of any other for the end of the answer.
 */
export function chunkedHead(status: number, headers: Headers): Step {
  return { do: 'send', bytes: rawHead(status, { 'transfer-encoding': 'chunked', ...headers }) };
}

/** One chunk of such an answer. */
export function chunk(bytes: Uint8Array | string): Step {
  const body = Buffer.from(bytes);
  return { do: 'send', bytes: Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]) };
}

const LAST_CHUNK: Step = { do: 'send', bytes: '0\r\n\r\n' };

/** A whole answer. */
export function answer(status: number, headers: Headers, body: Uint8Array | string): Step[] {
  const bytes = Buffer.from(body);
  return [head(status, { 'content-length': String(bytes.length), ...headers }), { do: 'send', bytes }];
}

export function json(status: number, value: unknown): Step[] {
  return answer(status, { 'content-type': 'application/json' }, JSON.stringify(value));
}

/** An event stream, one chunk for each text, with its clean end. */
export function events(...texts: readonly (Uint8Array | string)[]): Step[] {
  return [chunkedHead(200, { connection: 'close', ...EVENT_STREAM }), ...texts.map(chunk), LAST_CHUNK];
}

export const EVENT_STREAM: Headers = { 'content-type': 'text/event-stream; charset=utf-8' };

function rawHead(status: number, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? 'Strange'}\r\n${lines.join('')}\r\n`;
}
