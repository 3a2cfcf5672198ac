import { randomBytes } from 'node:crypto';
import {
  auth,
  discoverOAuthServerInfo,
  type FetchLike,
  type OAuthClientInformationContext,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { failure } from '../../../engine/errors.js';
import { raceAbort } from '../../../engine/run/abortRace.js';
import type { OAuthClient } from '../mcpLaunch.js';
import type { SignInPorts } from '../mcpPorts.js';
import { CallbackListener } from './callbackListener.js';
import { checkPlace } from './signInFetch.js';
import type { StoredSignIn } from './storedSignIn.js';

/** What the server said when it refused a request, in the notation of the SDK. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

export interface BrowserSignInOptions {
  readonly server: URL;
  readonly client: OAuthClient | null;
  readonly challenge: Challenge;
  /** A `signInFetch` that aborts with `signal`. */
  readonly fetchFn: FetchLike;
  readonly ports: Pick<SignInPorts, 'open' | 'reachable'>;
  /** Called with the texts of this sign-in that errors and logs must not contain. */
  readonly hide: (secret: string) => void;
  readonly signal: AbortSignal;
}

/** Signs in with the browser: registers Loupe, opens the page of the authorization server, and gets the tokens. */
export async function signInWithBrowser(options: BrowserSignInOptions): Promise<StoredSignIn> {
  const { server, client, challenge, fetchFn, ports, hide, signal } = options;
  const found = await discoverOAuthServerInfo(server, { fetchFn, ...challenge });
  const issuer = found.authorizationServerMetadata;
  if (issuer === undefined) {
    throw failure('mcp.noSignIn');
  }
  const clientId = client?.clientId ?? null;
  if (clientId === null && issuer.registration_endpoint === undefined) {
    throw failure('mcp.needsClientId');
  }
  const state = randomBytes(16).toString('base64url');
  const listener = await CallbackListener.open({ port: client?.callbackPort ?? null, state, reachable: ports.reachable.bind(ports) });
  try {
    const provider = new BrowserProvider({
      server,
      found,
      clientId,
      state,
      callback: listener.address,
      open: ports.open.bind(ports),
      hide,
    });
    await auth(provider, { serverUrl: server, fetchFn, ...challenge });
    await raceAbort(listener.answer(), signal);
    signal.throwIfAborted();
    const answer = await listener.answer();
    hide(answer.get('code') ?? '');
    // The SDK compares the issuer, and gets the tokens. This transport has no configured headers, which it would send.
    await new StreamableHTTPClientTransport(server, { authProvider: provider, fetch: fetchFn }).finishAuth(answer);
    return { ...provider.result(), issuer, resource: found.resourceMetadata?.resource ?? null };
  } finally {
    listener.close();
  }
}

interface ProviderOptions {
  readonly server: URL;
  readonly found: OAuthDiscoveryState;
  readonly clientId: string | null;
  readonly state: string;
  readonly callback: string;
  readonly open: SignInPorts['open'];
  readonly hide: BrowserSignInOptions['hide'];
}

/** One sign-in, for the SDK. Has no stored tokens, so that the SDK always asks the user. */
class BrowserProvider implements OAuthClientProvider {
  readonly #options: ProviderOptions;
  #verifier = '';
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  get redirectUrl(): string {
    return this.#options.callback;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Loupe',
      redirect_uris: [this.#options.callback],
      // The SDK asks for a refresh token only if this list has it.
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // A program on the user's computer cannot keep a secret (RFC 8252). PKCE takes its place.
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.#options.state;
  }

  clientInformation(about: OAuthClientInformationContext | undefined): StoredOAuthClientInformation | undefined {
    const { clientId } = this.#options;
    return clientId === null || about === undefined ? this.#client : { client_id: clientId, issuer: about.issuer };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    checkPlace(address, this.#options.server);
    if (!(await this.#options.open(address.href))) {
      throw failure('mcp.signInCancelled');
    }
  }

  saveCodeVerifier(verifier: string): void {
    this.#options.hide(verifier);
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#options.found;
  }

  result(): Pick<StoredSignIn, 'tokens' | 'client'> {
    const { clientId } = this.#options;
    const tokens = this.#tokens;
    const issuer = tokens?.issuer;
    const client = clientId === null || issuer === undefined ? this.#client : { client_id: clientId, issuer };
    if (tokens === undefined || client === undefined) {
      throw new TypeError('The SDK has ended a sign-in without tokens.');
    }
    return { tokens, client };
  }
}
