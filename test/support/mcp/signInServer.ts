import { once } from 'node:events';
import { createServer, type IncomingMessage, request as forward, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error -- the package has no types
import { Provider as UntypedProvider } from 'oidc-provider';
import { serveHttp, Shared } from './newestServer.mjs';

/** The parts of oidc-provider that tests use. */
interface Provider {
  callback(): RequestListener;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  readonly AccessToken: { find(token: string): Promise<AccessToken | undefined> };
  readonly RefreshToken: { find(token: string): Promise<{ destroy(): Promise<void> } | undefined> };
  readonly Grant: new (
    about: object,
  ) => { addOIDCScope(scope: string): void; addResourceScope(resource: string, scope: string): void; save(): Promise<string> };
  on(event: string, listener: () => void): void;
}

const OidcProvider = UntypedProvider as unknown as new (issuer: string, options: object) => Provider;

interface Interaction {
  readonly params: Readonly<Record<string, string>>;
}

interface AccessToken {
  readonly aud: string;
  readonly scope: string;
  destroy(): Promise<void>;
}

export interface SignInOptions {
  /** Whether programs can register themselves. `withToken`: only with a token, which Loupe does not have. */
  readonly registers: 'all' | 'none' | 'withToken';
  /** The address of an MCP server without a sign-in, to which accepted requests go. Null for a server of its own. */
  readonly inner: string | null;
}

/** The one client that is registered before. Its addresses match any port. */
export const KNOWN_CLIENT = 'known-client';

/**
 * A real MCP server for which the user must sign in, with a real authorization server, oidc-provider. Both are on
 * loopback. The user at the pages of the authorization server is a field, `consents`.
 */
export class SignInServer {
  /** The address of the MCP server. */
  readonly url: string;
  readonly issuer: string;
  /** Whether the user at the page signs in, or refuses. */
  consents = true;
  /** What the MCP server answers instead of a check of the token: a status, and the challenge. Null for a check. */
  refusal: { readonly status: number; readonly challenge: string } | null = null;
  /** Whether the metadata names no authorization server, as at a server that knows no sign-in. */
  hasMetadata = true;
  /** Changes the metadata of the MCP server. */
  metadata: Record<string, unknown> = {};
  /** The metadata of the authorization server, in place of its own. Null for its own. */
  issuerMetadata: object | null = null;
  /** An HTTP status with which the token endpoints answer every request, and repeat it. Null for working ones. */
  tokenStatus: number | null = null;
  /** The requests that the token endpoints refused. */
  readonly refused: URLSearchParams[] = [];
  /** All requests to the authorization server, such as `POST /token`. */
  readonly asked: string[] = [];
  /** The headers of all requests to the authorization server. */
  readonly headers: IncomingMessage['headers'][] = [];
  /** The access tokens that the MCP server got. */
  readonly tokens = new Set<string>();
  readonly #provider: Provider;
  readonly #servers: readonly Server[];
  readonly #own: Awaited<ReturnType<typeof serveHttp>> | null;
  readonly #inner: URL;

  private constructor({ url, issuer, provider, servers, own, inner }: Parts) {
    [this.url, this.issuer] = [url, issuer];
    [this.#provider, this.#servers, this.#own, this.#inner] = [provider, servers, own, inner];
  }

  /** The methods of all requests that the MCP server accepted. */
  get served(): readonly string[] {
    return this.#own?.methods ?? [];
  }

  static async start(options: SignInOptions): Promise<SignInServer> {
    const listeners: { authorize: RequestListener; serve: RequestListener } = { authorize: () => undefined, serve: () => undefined };
    const authorizes = createServer((request, response) => {
      listeners.authorize(request, response);
    });
    const serves = createServer((request, response) => {
      listeners.serve(request, response);
    });
    const issuer = await listen(authorizes);
    const provider = new OidcProvider(issuer, configuration(options));
    const own = options.inner === null ? await serveHttp(new Shared()) : null;
    const inner = new URL(own?.url ?? options.inner ?? '');
    const url = `${await listen(serves)}${inner.pathname}`;
    const made = new SignInServer({ url, issuer, provider, servers: [authorizes, serves], own, inner });
    const callback = provider.callback();
    listeners.authorize = (request, response) => void made.#authorize(request, response, callback);
    listeners.serve = (request, response) => void made.#serve(request, response);
    return made;
  }

  /** Returns how often a program asked for an address of the authorization server, such as `POST /token`. */
  times(request: string): number {
    return this.asked.filter((each) => each === request).length;
  }

  /** Ends all access tokens, as if it had expired. */
  async expire(): Promise<void> {
    for (const token of this.tokens) {
      await (await this.#provider.AccessToken.find(token))?.destroy();
    }
  }

  /** Whether the authorization server still knows a refresh token. */
  async knows(refreshToken: string): Promise<boolean> {
    return (await this.#provider.RefreshToken.find(refreshToken)) !== undefined;
  }

  async endRefreshToken(refreshToken: string): Promise<void> {
    await (await this.#provider.RefreshToken.find(refreshToken))?.destroy();
  }

  async close(): Promise<void> {
    await this.#own?.close();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  async #authorize(request: IncomingMessage, response: ServerResponse, callback: RequestListener): Promise<void> {
    const path = new URL(request.url ?? '', this.issuer).pathname;
    this.headers.push(request.headers);
    this.asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (path.startsWith('/token') && this.tokenStatus !== null) {
      const body = Buffer.concat(await request.toArray()).toString();
      this.refused.push(new URLSearchParams(body));
      response.writeHead(this.tokenStatus).end(body);
    } else if (path.startsWith('/.well-known/') && this.issuerMetadata !== null) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(this.issuerMetadata));
    } else if (path.startsWith('/interaction/')) {
      await this.#decide(request, response);
    } else {
      callback(request, response);
    }
  }

  /** Answers the page of the authorization server, in place of its user. */
  async #decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await this.#provider.interactionDetails(request, response);
    if (!this.consents) {
      await this.#provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'The user said no' });
      return;
    }
    const grant = new this.#provider.Grant({ accountId: 'user', clientId: params['client_id'] });
    const { scope = '', resource } = params;
    grant.addOIDCScope(scope);
    if (resource !== undefined) {
      grant.addResourceScope(resource, scope);
    }
    const consent = { grantId: await grant.save() };
    await this.#provider.interactionFinished(request, response, { login: { accountId: 'user' }, consent });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.url);
    if (pathname.startsWith('/.well-known/')) {
      this.#describe(pathname, response);
      return;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    this.tokens.add(token);
    const known = await this.#provider.AccessToken.find(token);
    if (this.refusal !== null || known === undefined || known.aud !== (this.metadata['resource'] ?? this.url)) {
      const { status, challenge } = this.refusal ?? { status: 401, challenge: '' };
      response.writeHead(status, { 'WWW-Authenticate': `Bearer ${challenge}` }).end();
      return;
    }
    this.#pass(request, response);
  }

  /** Answers a request for the metadata of the MCP server. */
  #describe(pathname: string, response: ServerResponse): void {
    const isMetadata = this.hasMetadata && pathname === `/.well-known/oauth-protected-resource${this.#inner.pathname}`;
    const metadata = { resource: this.url, authorization_servers: [this.issuer], scopes_supported: ['mcp', 'offline_access'] };
    response.writeHead(isMetadata ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(isMetadata ? JSON.stringify({ ...metadata, ...this.metadata }) : '');
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, headers } = request;
    const sent = forward(new URL(request.url ?? '', this.#inner), { method: method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    response.once('close', () => sent.destroy());
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  }
}

interface Parts {
  readonly url: string;
  readonly issuer: string;
  readonly provider: Provider;
  readonly servers: readonly Server[];
  readonly own: Awaited<ReturnType<typeof serveHttp>> | null;
  readonly inner: URL;
}

function configuration({ registers }: SignInOptions): object {
  return {
    clients: [
      {
        client_id: KNOWN_CLIENT,
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ],
    scopes: ['mcp', 'write', 'offline_access'],
    cookies: { keys: ['cookies of a test'] },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registers !== 'none', initialAccessToken: registers === 'withToken' },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          audience: resource,
          scope: 'mcp write offline_access',
          accessTokenFormat: 'opaque',
        }),
      },
    },
    rotateRefreshToken: true,
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Opens an address like a browser: keeps cookies, and follows redirects. `route` replaces addresses of requests. */
export async function browse(address: string, route: (address: string) => string): Promise<void> {
  const cookies = new Map<string, string>();
  for (let next: string | null = address; next !== null; ) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response: Response = await fetch(route(next), { redirect: 'manual', headers: { cookie } });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    await response.text();
    const to = response.headers.get('location');
    next = to === null ? null : new URL(to, next).href;
  }
}
