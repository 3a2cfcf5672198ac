import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { assertNever } from '../../../src/engine/assertNever.js';
import { readRequest, type ReceivedRequest } from './receivedRequest.js';

/** The server's steps after a request. Raw bytes can break HTTP (`answers.ts` keeps its rules). */
export type Step =
  | { readonly do: 'send'; readonly bytes: Uint8Array | string }
  /** Sends the same bytes as fast as the client reads, until the client closes the connection. */
  | { readonly do: 'flood'; readonly bytes: Uint8Array | string }
  /** Waits for a condition of the test, never for a time. */
  | { readonly do: 'wait'; readonly until: Promise<unknown> }
  /** Sends nothing and keeps the connection open. */
  | { readonly do: 'hang' }
  /** Resets the connection after all bytes are sent. */
  | { readonly do: 'cut' };

export interface Exchange {
  readonly request: ReceivedRequest;
  /** Written bytes, including those that the client has not read. */
  sentBytes(): number;
  /** Resolves when either side closes the connection. `byClient`: the client closed it before the script ended. */
  readonly closed: Promise<{ readonly byClient: boolean }>;
}

/** A local server. Each request gets the next script. */
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

  play(...script: readonly Step[]): void {
    this.#scripts.push(script);
  }

  async next(): Promise<Exchange> {
    this.#taken += 1;
    return this.requests[this.#taken - 1] ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Closes all connections. Throws errors of the server itself. */
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

class Connection {
  readonly closed: Promise<{ readonly byClient: boolean }>;
  readonly #socket: Socket;
  #hasEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Resets are expected. 'close' follows each.
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

  /** Waits until the bytes are sent, because a reset would discard them. */
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
