import {
  type AuthProvider,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import { failure } from '../../../engine/errors.js';
import type { HttpLaunch } from '../mcpLaunch.js';
import type { McpPorts } from '../mcpPorts.js';
import type { ServerLog } from '../serverLog.js';
import type { ServerSecrets } from '../secrets.js';
import { type Challenge, signInWithBrowser } from './browserSignIn.js';
import { isGrantOver, renewalFailure, revocationFailure, signInFailure } from './signInErrors.js';
import { signInFetch } from './signInFetch.js';
import { parseSignIn, secretsIn, signInKey, type StoredSignIn } from './storedSignIn.js';

export interface ServerSignInOptions {
  readonly name: string;
  readonly launch: HttpLaunch;
  readonly ports: Pick<McpPorts, 'signIn' | 'sha256' | 'limits'>;
  readonly log: ServerLog;
  /** Gets the tokens, so that no error and no log contains them. */
  readonly secrets: ServerSecrets;
}

/**
 * The user's sign-in to one server by OAuth. Renews tokens automatically. Only the user starts a sign-in, never a
 * request. All servers and windows with the same address share the tokens.
 */
export class ServerSignIn implements AuthProvider {
  readonly #options: ServerSignInOptions;
  readonly #server: URL;
  readonly #key: string;
  /** The last known stored sign-in. Undefined before the first read. */
  #stored: StoredSignIn | null | undefined;
  #challenge: Challenge = {};
  #renewing: Promise<void> | null = null;
  #signingIn: AbortController | null = null;

  constructor(options: ServerSignInOptions) {
    this.#options = options;
    this.#server = new URL(options.launch.url);
    this.#key = signInKey(this.#server, options.ports.sha256);
  }

  /** Whether Loupe has tokens, as far as it knows. */
  get isSignedIn(): boolean {
    return this.#stored !== null && this.#stored !== undefined;
  }

  get tokens(): readonly string[] {
    return this.#stored === null || this.#stored === undefined ? [] : secretsIn(this.#stored);
  }

  /** Returns the access token for the next request to the server. Called by the SDK. */
  async token(): Promise<string | undefined> {
    const stored = this.#stored === undefined ? await this.#read() : this.#stored;
    return stored?.tokens.access_token;
  }

  /** Renews the tokens after the server refused them. Rejects if only the user can sign in. Called by the SDK. */
  async onUnauthorized(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    await this.#renewing;
  }

  /** Notes what a refusal of the server asks for, for the next sign-in. */
  saw(response: Response): void {
    if (response.headers.has('www-authenticate') && (response.status === 401 || response.status === 403)) {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      this.#challenge = {
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
        ...(scope === undefined ? {} : { scope }),
      };
    }
  }

  /** Signs in with the browser. Another call cancels an open sign-in, because its page may be closed. */
  async signIn(signal: AbortSignal): Promise<void> {
    this.#signingIn?.abort(failure('mcp.signInCancelled'));
    const own = new AbortController();
    this.#signingIn = own;
    const before = this.#stored?.tokens.access_token;
    const { launch, ports, secrets } = this.#options;
    const minutes = Math.ceil(ports.limits.signInMs / 60_000);
    const late = setTimeout(() => {
      own.abort(failure('mcp.signInSlow', { minutes }));
    }, ports.limits.signInMs);
    const stopped = AbortSignal.any([signal, own.signal]);
    try {
      const stored = await this.#read();
      if (stored !== null && stored.tokens.access_token !== before) {
        // The user has signed in with another window.
        return;
      }
      const scope = computeScopeUnion(stored?.tokens.scope, this.#challenge.scope);
      const result = await signInWithBrowser({
        ...{ server: this.#server, client: launch.oauth, challenge: { ...this.#challenge, ...(scope === undefined ? {} : { scope }) } },
        ...{ fetchFn: this.#fetch(stopped), ports: ports.signIn, signal: stopped },
        hide: (secret) => {
          secrets.add([secret]);
        },
      });
      await this.#keep(result);
    } catch (thrown) {
      throw stopped.aborted ? stopped.reason : signInFailure(thrown, secrets);
    } finally {
      clearTimeout(late);
      if (this.#signingIn === own) {
        this.#signingIn = null;
      }
    }
  }

  /** Removes the tokens, and revokes them if the server offers it. Rejects with `mcp.notRevoked` if that fails. */
  async signOut(): Promise<void> {
    this.#signingIn?.abort(failure('mcp.signInCancelled'));
    const stored = await this.#read();
    await this.#storage(this.#options.ports.signIn.forget(this.#key));
    this.#stored = null;
    if (stored !== null) {
      await this.#revoke(stored);
    }
  }

  async #renew(): Promise<void> {
    const refused = this.#stored?.tokens.access_token;
    const stored = await this.#read();
    if (stored?.tokens.refresh_token === undefined && (stored === null || stored.tokens.access_token === refused)) {
      throw failure('mcp.wantsSignIn');
    }
    await this.#options.ports.signIn.exclusively(this.#key, async () => {
      // Another window may have renewed the tokens. Many servers end a sign-in if an old refresh token comes again.
      const newest = await this.#read();
      if (newest === null || newest.tokens.access_token === refused) {
        await this.#renewNow(newest);
      }
    });
  }

  async #renewNow(stored: StoredSignIn | null): Promise<void> {
    if (stored?.tokens.refresh_token === undefined) {
      throw failure('mcp.wantsSignIn');
    }
    const { secrets, ports } = this.#options;
    let tokens: OAuthTokens;
    try {
      tokens = await this.#renewed(stored, stored.tokens.refresh_token);
    } catch (thrown) {
      if (!isGrantOver(thrown)) {
        throw renewalFailure(thrown, secrets);
      }
      this.#options.log.note('The sign-in has ended, so Loupe could not renew it.');
      await this.#storage(ports.signIn.forget(this.#key));
      this.#stored = null;
      throw failure('mcp.wantsSignIn', { cause: secrets.redactCause(thrown) });
    }
    const { issuer } = stored.tokens;
    await this.#keep({ ...stored, tokens: { ...tokens, ...(issuer === undefined ? {} : { issuer }) } });
  }

  #renewed({ issuer, client, resource }: StoredSignIn, refreshToken: string): Promise<OAuthTokens> {
    return refreshAuthorization(issuer.issuer, {
      ...{ metadata: issuer, clientInformation: client, refreshToken, fetchFn: this.#fetch(new AbortController().signal) },
      ...(resource === null ? {} : { resource }),
    });
  }

  /** Asks the authorization server to end the tokens (RFC 7009). It then also ends the access tokens. */
  async #revoke({ issuer, client, tokens }: StoredSignIn): Promise<void> {
    const address = 'revocation_endpoint' in issuer ? issuer.revocation_endpoint : undefined;
    if (typeof address !== 'string') {
      return;
    }
    const { refresh_token: refreshToken, access_token: accessToken } = tokens;
    const { client_id, client_secret: secret } = client;
    const body = new URLSearchParams({
      token: refreshToken ?? accessToken,
      token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
      client_id,
      ...(typeof secret === 'string' ? { client_secret: secret } : {}),
    });
    const { secrets } = this.#options;
    try {
      const response = await this.#fetch(new AbortController().signal)(address, { method: 'POST', body });
      if (!response.ok) {
        throw new Error(`HTTP ${String(response.status)}`);
      }
    } catch (thrown) {
      throw revocationFailure(thrown, secrets);
    }
  }

  async #read(): Promise<StoredSignIn | null> {
    const text = await this.#storage(this.#options.ports.signIn.get(this.#key));
    const stored = text === null ? null : parseSignIn(text);
    if (text !== null && stored === null) {
      this.#options.log.note('Loupe cannot read the stored sign-in, which another version of Loupe wrote.');
    }
    this.#know(stored);
    return stored;
  }

  async #keep(stored: StoredSignIn): Promise<void> {
    this.#know(stored);
    await this.#storage(this.#options.ports.signIn.keep(this.#key, JSON.stringify(stored)));
  }

  #know(stored: StoredSignIn | null): void {
    this.#stored = stored;
    this.#options.secrets.add(stored === null ? [] : secretsIn(stored));
  }

  async #storage<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      throw failure('mcp.signInUnreadable', { cause: thrown });
    }
  }

  #fetch(signal: AbortSignal): FetchLike {
    const { name, ports } = this.#options;
    return signInFetch({ name, server: this.#server, limits: ports.limits, signal });
  }
}
