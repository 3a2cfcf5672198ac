import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Route = (response: ServerResponse, request: IncomingMessage) => void;

/** A web server on this computer. Each path has a route; other paths answer 404. */
export class PageServer {
  /** Paths of all requests, in their order. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #routes: Map<string, Route>;

  private constructor(server: Server, routes: Map<string, Route>) {
    this.#server = server;
    this.#routes = routes;
  }

  static async start(options: { readonly host?: string; readonly port?: number }): Promise<PageServer> {
    const routes = new Map<string, Route>();
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      pages.asked.push(path);
      const route = routes.get(path);
      if (route === undefined) {
        response.writeHead(404).end('nothing here');
      } else {
        route(response, request);
      }
    });
    const pages = new PageServer(server, routes);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
    });
    return pages;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `http://127.0.0.1:${String(this.port)}${path}`;
  }

  on(path: string, route: Route): void {
    this.#routes.set(path, route);
  }

  /** Answers with a body. */
  page(path: string, body: string | Uint8Array, contentType: string, headers: Readonly<Record<string, string>>): void {
    this.on(path, (response) => {
      response.writeHead(200, { 'content-type': contentType, ...headers }).end(body);
    });
  }

  redirect(path: string, location: string): void {
    this.on(path, (response) => {
      response.writeHead(302, { location }).end();
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}
