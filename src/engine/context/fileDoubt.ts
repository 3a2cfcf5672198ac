import type { SignOfSecrets } from '../chat/calls/calls.js';

/*
 * Files for which Loupe asks the user before they are in requests: files with secrets, and large files.
 */

export type FileDoubt =
  | { readonly code: 'secret'; readonly by: SignOfSecrets }
  /** `tokens` is a rough estimate. */
  | { readonly code: 'large'; readonly tokens: number };

/** Loupe asks before it adds a larger file: a quarter of a usual context window. */
const MOST_TOKENS = 50_000;

/** Characters per token of lock files, bundles and translations. Prose has four, so that this finds large files. */
const CHARACTERS_PER_TOKEN = 3;

/** Names from the documentation of the tools: dotenv, OpenSSH, netrc, npm, PyPI, git, Apache, PostgreSQL, keystores. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(?!\.(?:example|sample|template|dist|defaults)$)(?:\..+)?$/i,
  /.\.env$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^(?:[._]netrc|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|\.pgpass)$/,
  /^(?:credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml))$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/i,
];

/** Keys with a form of their own, as the providers document them. */
const SECRET_TEXTS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{35}/,
  /\b(?:gh[opsur]_\w{36}|github_pat_\w{40}|glpat-[\w-]{20}|npm_\w{36})/,
  /\bxox[abeprs]-[\w-]{10,}/,
  /\bsk-(?:ant-|proj-)?[\w-]{32,}/,
];

/** Returns what shows that a file may contain secrets; null for other files. `path` has forward slashes. */
export function signOfSecrets(path: string, content: string): SignOfSecrets | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (SECRET_NAMES.some((pattern) => pattern.test(name))) {
    return 'name';
  }
  return SECRET_TEXTS.some((pattern) => pattern.test(content)) ? 'text' : null;
}

/** Returns why Loupe asks before it adds a file; null for other files. `isAllowed`: the user allowed its secrets. */
export function fileDoubt(path: string, content: string, isAllowed: boolean): FileDoubt | null {
  const by = isAllowed ? null : signOfSecrets(path, content);
  if (by !== null) {
    return { code: 'secret', by };
  }
  const tokens = Math.ceil(content.length / CHARACTERS_PER_TOKEN);
  return tokens > MOST_TOKENS ? { code: 'large', tokens } : null;
}
