import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { assertNever } from '../../../src/engine/assertNever.js';
import { readRequest, type ReceivedRequest } from './receivedRequest.js';

/**
 * What the server does once a request is there, step by step. It writes raw bytes, so that it can break every rule of
 * HTTP (`answers.ts` has those that keep them). After the last step it ends the connection.
 */
export type Step =
  /** Bytes as they are. */
  | { readonly do: 'send'; readonly bytes: Uint8Array | string }
  /** The same bytes again and again, as fast as the client takes them, until it closes the connection. */
  | { readonly do: 'flood'; readonly bytes: Uint8Array | string }
  /** Nothing until the promise settles: a condition of the test, never a time. */
  | { readonly do: 'wait'; readonly until: Promise<unknown> }
  /** Nothing any more, with the connection open, until the client closes it. */
  | { readonly do: 'hang' }
  /** The connection is cut: a reset, behind the bytes that were sent before. */
  | { readonly do: 'cut' };

/** A request, and what became of its connection. */
export interface Exchange {
  readonly request: ReceivedRequest;
  /** Bytes written so far, with those that the client has not taken yet. */
  sentBytes(): number;
  /** Resolves when the connection is closed by whichever side, to whether the client did it before the script's end. */
  readonly closed: Promise<{ readonly byClient: boolean }>;
}

/** A server on loopback that answers the first request with the first script, and so on. */
export class FaultServer {
  readonly requests: Exchange[] = [];
  readonly #server: Server;
  readonly #scripts: (readonly Step[])[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #waiting: ((exchange: Exchange) => void)[] = [];
  readonly #failures: unknown[] = [];
  #taken = 0;

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      this.#serve(socket).catch((failure: unknown) => {
        this.#failures.push(failure);
        socket.destroy();
      });
    });
  }

  static async start(): Promise<FaultServer> {
    const server = new FaultServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** What happens to the next request that has no script yet. */
  play(...script: readonly Step[]): void {
    this.#scripts.push(script);
  }

  /** The next request that this has not given yet, as soon as all of it is there. */
  async next(): Promise<Exchange> {
    this.#taken += 1;
    return this.requests[this.#taken - 1] ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Cuts what is open. Throws what went wrong in the server itself. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
    if (this.#failures.length > 0) {
      throw new AggregateError(this.#failures, 'The fault server failed.');
    }
  }

  async #serve(socket: Socket): Promise<void> {
    const connection = new Connection(socket);
    const request = await readRequest(socket);
    if (request === null) {
      return;
    }
    const script = this.#scripts.shift();
    if (script === undefined) {
      throw new Error(`No script for ${request.method} ${request.path}`);
    }
    const { closed } = connection;
    this.#announce({ request, sentBytes: () => socket.bytesWritten, closed });
    for (const step of script) {
      await connection.take(step);
    }
    connection.end();
  }

  #announce(exchange: Exchange): void {
    this.requests.push(exchange);
    this.#waiting.shift()?.(exchange);
  }
}

/** The server's end of one connection. */
class Connection {
  readonly closed: Promise<{ readonly byClient: boolean }>;
  readonly #socket: Socket;
  #hasEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Resets are what is tested: 'close' follows each.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve({ byClient: !this.#hasEnded });
      });
    });
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'send':
        await this.#send(step.bytes);
        break;
      case 'flood':
        while (!this.#socket.destroyed) {
          await this.#send(step.bytes);
        }
        break;
      case 'wait':
        await Promise.race([step.until, this.closed]);
        break;
      case 'hang':
        await this.closed;
        break;
      case 'cut':
        this.#hasEnded = true;
        this.#socket.resetAndDestroy();
        break;
      default:
        assertNever(step);
    }
  }

  end(): void {
    this.#hasEnded = this.#hasEnded || !this.#socket.destroyed;
    this.#socket.end();
  }

  /** Waits until the bytes are out: a cut must not take them back. */
  async #send(bytes: Uint8Array | string): Promise<void> {
    if (this.#socket.destroyed) {
      return;
    }
    const written = new Promise<void>((resolve) => {
      this.#socket.write(bytes, () => {
        resolve();
      });
    });
    await Promise.race([written, this.closed]);
  }
}
