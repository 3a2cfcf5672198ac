import { createHash } from 'node:crypto';
import { countedAs } from '../../protocol/numbers.js';
import { base64Forms } from '../../providers/http/redact.js';

export type SecretKind = 'key' | 'server' | 'home' | 'email' | 'data';

const SECRET_KINDS: readonly SecretKind[] = ['key', 'server', 'home', 'email', 'data'];

/** The number of different redacted values of each kind. */
export type SecretCounts = Readonly<Record<SecretKind, number>>;

export interface KnownSecrets {
  readonly keys: readonly string[];
  /** The passwords, headers and variables for MCP servers. */
  readonly servers: readonly string[];
  readonly homes: readonly string[];
}

const REPLACEMENTS: Readonly<Record<Exclude<SecretKind, 'data'>, string>> = {
  key: '[key]',
  server: '[secret]',
  home: '[home]',
  email: '[e-mail address]',
};

/** Minimum length of a redacted value. A shorter value, such as `on`, can be a part of any text. */
const SHORTEST_SECRET = 6;

/** Matches Base64 that is too long for a key. The export removes such data, because parts of it can look like keys. */
const LONG_BASE64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{256,}={0,2}/g;

/** 4 characters of Base64 contain 3 bytes. */
const [BASE64_CHARACTERS, BASE64_BYTES] = [4, 3];

/** Matches the usual forms of API keys. */
const KEYS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  // JSON Web Tokens.
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:gh[opsur]_|github_pat_|glpat-|hf_|gsk_|npm_|xai-)\w[\w-]{15,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
];

/** Matches the value of a header or variable with a name such as `api_key`, also with escaped quotes, as in JSON. */
const NAMED_KEYS =
  /(\b(?:proxy-)?authorization|\b(?:x-)?api[-_]?key|\b(?:set-)?cookie|\b\w{0,64}(?:_TOKEN|_SECRET|_API_KEY|_PASSWORD))(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:(?:bearer|basic|token)\s)?)(?!\[key\]|\[secret\]|\[home\])([^\s"'\\,;]{6,})/gi;

/** Matches paths of home folders. In JSON, backslashes in paths are doubled. */
const HOMES = /(?:(?<![\w.])\/(?:home|Users)\/|\b[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))[^\s/\\"'`<>|:;,()[\]]+/g;

/** Matches e-mail addresses. The limit of 64 characters before the @ keeps the search in long texts fast. */
const EMAILS = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;

/** Matches white space and escaped line breaks. Without them, a secret looks the same in JSON and in plain text. */
const BREAKS = /\\[rn]|\s/g;

/** Redacts keys, home folders and e-mail addresses in the texts of one file. Counts each different value once. */
export class Redaction {
  readonly #secrets: KnownSecrets;
  readonly #found: Readonly<Record<SecretKind, Set<string>>> = {
    key: new Set(),
    server: new Set(),
    home: new Set(),
    email: new Set(),
    data: new Set(),
  };

  constructor(secrets: KnownSecrets) {
    this.#secrets = secrets;
  }

  get counts(): SecretCounts {
    const { key, server, home, email, data } = this.#found;
    return { key: key.size, server: server.size, home: home.size, email: email.size, data: data.size };
  }

  /** Replaces long Base64 in a text by a note with its size. */
  withoutData(text: string): string {
    return text.replace(LONG_BASE64, (data) => {
      this.#found.data.add(createHash('sha256').update(data).digest('hex'));
      const bytes = Math.floor((data.replace(/=+$/, '').length / BASE64_CHARACTERS) * BASE64_BYTES);
      return `[Base64, ${bytes.toLocaleString('en-US')} bytes]`;
    });
  }

  /** Removes secrets and long Base64 from a text. */
  clean(text: string): string {
    const replaced =
      (kind: keyof typeof REPLACEMENTS) =>
      (secret: string): string => {
        this.#found[kind].add(secret.replace(BREAKS, ''));
        return REPLACEMENTS[kind];
      };
    let clean = this.#withoutKnown(this.withoutData(text));
    for (const pattern of KEYS) {
      clean = clean.replace(pattern, replaced('key'));
    }
    return clean
      .replace(NAMED_KEYS, (_match, name: string, between: string, value: string) => `${name}${between}${replaced('key')(value)}`)
      .replace(HOMES, replaced('home'))
      .replace(EMAILS, replaced('email'));
  }

  #withoutKnown(text: string): string {
    let clean = text;
    const { keys, servers, homes } = this.#secrets;
    const known = [
      ...keys.map((value) => ({ kind: 'key', value, forms: [...formsOf(value), ...base64Forms(value)] }) as const),
      ...longEnough(servers).map((value) => ({ kind: 'server', value, forms: [...formsOf(value), ...base64Forms(value)] }) as const),
      ...homes.filter((path) => path.length > 1).map((value) => ({ kind: 'home', value, forms: [...formsOf(value)] }) as const),
    ];
    for (const { kind, value, forms } of known) {
      for (const form of forms) {
        if (clean.includes(form)) {
          this.#found[kind].add(value);
          clean = clean.replaceAll(form, REPLACEMENTS[kind]);
        }
      }
    }
    return clean;
  }
}

/** Returns the secrets of sufficient length, longest first, because a secret can be a part of a longer secret. */
function longEnough(secrets: readonly string[]): readonly string[] {
  return secrets.filter(({ length }) => length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
}

/** Returns the forms of a secret in plain text, in JSON, and in a URL. */
function formsOf(secret: string): ReadonlySet<string> {
  return new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
}

const NAMES: Readonly<Record<SecretKind, readonly [one: string, many: string]>> = {
  key: ['key', 'keys'],
  server: ['secret of an MCP server', 'secrets of MCP servers'],
  home: ['home folder', 'home folders'],
  email: ['e-mail address', 'e-mail addresses'],
  data: ['image or other Base64 data', 'images or other Base64 data'],
};

/** Describes the redactions: `Blacked out: 2 keys, 1 e-mail address.` */
export function countsInWords(counts: SecretCounts): string {
  const found = SECRET_KINDS.filter((kind) => counts[kind] > 0).map((kind) => countedAs(counts[kind], ...NAMES[kind]));
  return found.length === 0
    ? 'Loupe found no key, no home folder and no e-mail address to black out.'
    : `Blacked out: ${found.join(', ')}.`;
}
