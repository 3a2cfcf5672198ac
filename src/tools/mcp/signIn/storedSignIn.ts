import type { AuthorizationServerMetadata, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { isObject, parseForeignJson } from '../../../engine/json.js';
import type { Sha256 } from '../../../engine/ports.js';

/** A sign-in to the server at one address, as Loupe stores it. Loupe never sends its tokens to another address. */
export interface StoredSignIn {
  readonly tokens: StoredOAuthTokens;
  /** Loupe as registered at the authorization server. */
  readonly client: StoredOAuthClientInformation;
  /** The authorization server, which renews and revokes the tokens. */
  readonly issuer: AuthorizationServerMetadata;
  /** The resource indicator of the tokens (RFC 8707). Null when the server names none. */
  readonly resource: string | null;
}

/** Returns the storage key of the sign-in at an address. */
export function signInKey(url: URL, sha256: Sha256): string {
  return sha256(url.href);
}

/** Returns a stored sign-in. Null for a text of another version of Loupe. */
export function parseSignIn(text: string): StoredSignIn | null {
  const value = parseForeignJson(text);
  if (!isObject(value)) {
    return null;
  }
  const { tokens, client, issuer, resource } = value;
  const isKnown =
    hasTexts(tokens, ['access_token', 'token_type', 'issuer']) &&
    hasTexts(client, ['client_id', 'issuer']) &&
    hasTexts(issuer, ['issuer', 'token_endpoint']) &&
    (resource === null || typeof resource === 'string');
  return isKnown ? (value as unknown as StoredSignIn) : null;
}

/** Returns the texts of a sign-in that errors and logs must not contain. */
export function secretsIn({ tokens, client }: StoredSignIn): readonly string[] {
  const { client_secret: secret } = client;
  return [tokens.access_token, tokens.refresh_token, tokens.id_token, secret].filter((value) => typeof value === 'string');
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}
