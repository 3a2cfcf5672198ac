import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failure } from '../../../engine/errors.js';

const PATH = '/callback';

/** The page in the browser at the end. Contains nothing from the request, which other programs can send, too. */
const PAGES = {
  done: '<!doctype html><html lang="en"><meta charset="utf-8"><title>Loupe</title><p>You can close this page and return to VS Code.</p></html>',
  unknown: '<!doctype html><html lang="en"><meta charset="utf-8"><title>Loupe</title><p>Loupe does not wait for this sign-in.</p></html>',
} as const;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Connection: 'close',
} as const;

export interface CallbackOptions {
  /** Null for any free port. */
  readonly port: number | null;
  /** A random text that only the answer to this sign-in has. */
  readonly state: string;
  /** Returns the address at which the browser reaches an address of this computer. */
  readonly reachable: (address: string) => Promise<string>;
}

/** Receives the answer of one sign-in from the browser, on this computer only. Ignores requests with another state. */
export class CallbackListener {
  /** The address to which the browser returns. */
  readonly address: string;
  readonly #server: Server;
  readonly #answer: Promise<URLSearchParams>;

  private constructor(address: string, server: Server, answer: Promise<URLSearchParams>) {
    this.address = address;
    this.#server = server;
    this.#answer = answer;
  }

  /** Rejects with `mcp.callbackTaken` if the port is not free. */
  static async open({ port, state, reachable }: CallbackOptions): Promise<CallbackListener> {
    let received: (parameters: URLSearchParams) => void = () => undefined;
    const answer = new Promise<URLSearchParams>((resolve) => {
      received = resolve;
    });
    const server = createServer((request, response) => {
      const parameters = parametersOf(request);
      const isAnswer = parameters?.get('state') === state;
      respond(response, isAnswer ? 200 : 400, isAnswer ? 'done' : 'unknown');
      if (parameters !== null && isAnswer) {
        received(parameters);
      }
    });
    await listening(server, port);
    try {
      const { port: used } = server.address() as AddressInfo;
      // A registered address has the name, as other programs document it. Servers allow any port only for the number.
      const host = port === null ? '127.0.0.1' : 'localhost';
      return new CallbackListener(await reachable(`http://${host}:${String(used)}${PATH}`), server, answer);
    } catch (thrown) {
      server.close();
      throw thrown;
    }
  }

  /** Returns the parameters of the answer. */
  answer(): Promise<URLSearchParams> {
    return this.#answer;
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }
}

async function listening(server: Server, port: number | null): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown: NodeJS.ErrnoException) => {
      reject(failure('mcp.callbackTaken', { port: port ?? 0, code: thrown.code ?? thrown.message }, { cause: thrown }));
    });
    server.listen(port ?? 0, '127.0.0.1', resolve);
  });
}

/** Returns the parameters of a request to the callback. Null for another path or method. */
function parametersOf({ method, url }: IncomingMessage): URLSearchParams | null {
  const base = 'http://127.0.0.1';
  const asked = URL.canParse(url ?? '', base) ? new URL(url ?? '', base) : null;
  return method === 'GET' && asked?.pathname === PATH ? asked.searchParams : null;
}

function respond(response: ServerResponse, status: number, page: keyof typeof PAGES): void {
  response.writeHead(status, HEADERS).end(PAGES[page]);
}
