import { failure, type LoupeError } from '../../../engine/errors.js';
import { redact } from '../../../providers/http/redact.js';
import { textMember } from '../../../providers/json.js';
import { originOf, type ProviderConfig } from './providerConfig.js';

/** The part of VS Code's secret storage (`ExtensionContext.secrets`) that Loupe uses. */
export interface KeyStorage {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

export interface KeyPorts {
  readonly secrets: KeyStorage;
  /** Asks the user for a provider's key, and shows the reason. Null when the user enters no key. */
  ask(provider: KeyOwner, why: string): Promise<string | null>;
  tell(text: string): void;
  logError(error: LoupeError): void;
}

/** The provider of a key. Loupe never sends a key to an address with another origin. */
export type KeyOwner = Pick<ProviderConfig, 'id' | 'label' | 'baseUrl'>;

interface StoredKey {
  readonly key: string;
  /** Scheme, host and port of the address for which the user entered the key. */
  readonly origin: string;
}

/** The key for a request. Otherwise the reason to ask the user, and a function that stores the new key. */
type KeyLookup =
  | { readonly refusal: null; readonly key: string | null }
  | { readonly refusal: LoupeError; readonly keep: (key: string) => Promise<void> };

/**
 * The keys of providers, stored only in VS Code's secret storage. If the storage fails, Loupe asks the user and keeps
 * the key in the memory of this window. Messages and log lines never contain a key.
 */
export class KeyStore {
  readonly #ports: KeyPorts;
  /** Keys by provider id, for which the secret storage failed. */
  readonly #held = new Map<string, StoredKey>();
  /** Open questions by provider id and origin. Several requests for the same key ask the user once. */
  readonly #asking = new Map<string, Promise<string>>();

  constructor(ports: KeyPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the key for a request. Null without a key, because some servers need none. Asks the user when the storage
   * fails, and when the stored key has another origin. Rejects with `auth` when the user enters no key.
   */
  async get(owner: KeyOwner): Promise<string | null> {
    const found = await this.#find(owner);
    return found.refusal === null ? found.key : this.#ask(owner, found.refusal, found.keep);
  }

  /** Returns the key for a background request. Rejects with `auth` where `get` would ask the user. */
  async getQuietly(owner: KeyOwner): Promise<string | null> {
    const found = await this.#find(owner);
    if (found.refusal !== null) {
      throw found.refusal;
    }
    return found.key;
  }

  async #find(owner: KeyOwner): Promise<KeyLookup> {
    const read = await this.#read(owner);
    if (read.type === 'unreadable') {
      const keep = (key: string): Promise<void> => {
        this.#hold(owner, key);
        return Promise.resolve();
      };
      return { refusal: failure('provider.keyUnknown', owner), keep };
    }
    const { stored } = read;
    const origin = originOf(owner);
    if (stored === null || stored.origin === origin) {
      return { refusal: null, key: stored?.key ?? null };
    }
    return {
      refusal: failure('provider.keyOfOtherAddress', { label: owner.label, given: stored.origin, now: origin }),
      keep: (key) => this.set(owner, key),
    };
  }

  /** Whether Loupe has a key for this address. Never asks the user. A key that cannot be read counts as missing. */
  async has(owner: KeyOwner): Promise<boolean> {
    const read = await this.#read(owner);
    return read.type === 'read' && read.stored?.origin === originOf(owner);
  }

  /** Returns the stored key of any origin, to remove the key from texts. Null without a key. */
  async known(owner: KeyOwner): Promise<string | null> {
    const read = await this.#read(owner);
    return read.type === 'read' ? (read.stored?.key ?? null) : null;
  }

  /** Stores a key. If the secret storage fails, keeps the key in memory and informs the user. */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const stored: StoredKey = { key, origin: originOf(owner) };
    try {
      await this.#ports.secrets.store(storageKey(owner.id), JSON.stringify(stored));
      this.#held.delete(owner.id);
    } catch (thrown) {
      this.#ports.logError(failure('key.notKept', owner, redacted(thrown, key)));
      this.#hold(owner, key);
    }
  }

  /** Removes the key. Rejects with `storage` when the secret storage fails. */
  async remove(owner: Pick<KeyOwner, 'id' | 'label'>): Promise<void> {
    const held = this.#held.get(owner.id);
    this.#held.delete(owner.id);
    try {
      await this.#ports.secrets.delete(storageKey(owner.id));
    } catch (thrown) {
      throw failure('key.notRemoved', owner, redacted(thrown, held?.key ?? null));
    }
  }

  #hold(owner: KeyOwner, key: string): void {
    this.#held.set(owner.id, { key, origin: originOf(owner) });
    this.#ports.tell(
      `VS Code's secret storage failed. Loupe keeps the key of ${owner.label} only until this window closes. After that, enter the key again.`,
    );
  }

  async #read(owner: KeyOwner): Promise<{ readonly type: 'read'; readonly stored: StoredKey | null } | { readonly type: 'unreadable' }> {
    const held = this.#held.get(owner.id);
    if (held !== undefined) {
      return { type: 'read', stored: held };
    }
    try {
      const text = await this.#ports.secrets.get(storageKey(owner.id));
      return { type: 'read', stored: text === undefined ? null : parseStored(text) };
    } catch (thrown) {
      this.#ports.logError(failure('key.notRead', owner, redacted(thrown, null)));
      return { type: 'unreadable' };
    }
  }

  async #ask(owner: KeyOwner, refusal: LoupeError, keep: (key: string) => Promise<void>): Promise<string> {
    const name = `${owner.id} ${originOf(owner)}`;
    const asking = this.#asking.get(name) ?? this.#askNow(owner, refusal, keep);
    this.#asking.set(name, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(name);
    }
  }

  async #askNow(owner: KeyOwner, refusal: LoupeError, keep: (key: string) => Promise<void>): Promise<string> {
    const key = await this.#ports.ask(owner, refusal.message);
    if (key === null || key === '') {
      throw failure('provider.keyNotGiven', { why: refusal.message });
    }
    await keep(key);
    return key;
  }
}

function storageKey(id: string): string {
  return `loupe.key.${id}`;
}

function parseStored(text: string): StoredKey {
  const value = parseJson(text);
  const [key, origin] = [textMember(value, 'key'), textMember(value, 'origin')];
  if (key === null || origin === null) {
    throw failure('key.notOurs');
  }
  return { key, origin };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    // Drops the parser's message, which quotes the text. The text may contain a key.
    throw failure('key.notJson', { error: thrown instanceof SyntaxError ? 'SyntaxError' : 'unreadable' });
  }
}

/** Removes the key from an error of the storage, because the message may quote the key. */
function redacted(thrown: unknown, key: string | null): { readonly cause: Error } {
  const words = thrown instanceof Error ? thrown.message : `a thrown ${typeof thrown}`;
  return { cause: new Error(redact(words, key)) };
}
