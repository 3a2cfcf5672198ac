import type { Socket } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads one request from a new connection, or null when the client closes it early. Bodies need a `content-length`. */
export function readRequest(socket: Socket): Promise<ReceivedRequest | null> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    socket.on('close', () => {
      resolve(null);
    });
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      try {
        const request = parse(bytes);
        if (request !== null) {
          resolve(request);
        }
      } catch (thrown) {
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
  });
}

function parse(bytes: Buffer): ReceivedRequest | null {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) {
    return null;
  }
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const [method, path] = first!.split(' ');
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  if (headers.has('transfer-encoding')) {
    throw new Error('The fault server takes no chunked requests.');
  }
  const length = Number(headers.get('content-length') ?? 0);
  const body = bytes.subarray(end + HEAD_END.length);
  return body.length < length ? null : { method: method!, path: path!, headers, body: body.subarray(0, length) };
}
