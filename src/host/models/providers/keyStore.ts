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
  /** Asks the user for a provider's key and shows the reason. Resolves to null when the user gives no key. */
  ask(provider: KeyOwner, why: string): Promise<string | null>;
  tell(text: string): void;
  logError(error: LoupeError): void;
}

/** The provider of a key. Loupe binds each key to an origin and never sends it to another. */
export type KeyOwner = Pick<ProviderConfig, 'id' | 'label' | 'baseUrl'>;

interface StoredKey {
  readonly key: string;
  /** Scheme, host and port of the address for which the user entered the key. */
  readonly origin: string;
}

/** The key for a request. Without one: the reason to ask the user, and a function that stores the new key. */
type KeyLookup =
  | { readonly refusal: null; readonly key: string | null }
  | { readonly refusal: LoupeError; readonly keep: (key: string) => Promise<void> };

/**
 * The keys of the providers, stored only in VS Code's secret storage. If the storage fails, Loupe asks the user and
 * keeps the key in the memory of this VS Code window. Messages and log lines never contain a key.
 */
export class KeyStore {
  readonly #ports: KeyPorts;
  /** Keys that the secret storage failed to store or read, by provider id. */
  readonly #held = new Map<string, StoredKey>();
  /** Open questions by id and origin. Concurrent requests for the same key ask the user once. */
  readonly #asking = new Map<string, Promise<string>>();

  constructor(ports: KeyPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the key for a request, or null when no key is set (some servers need none). Asks the user when the storage
   * fails, and when the key was given for another origin. Rejects with `auth` when the user gives no key.
   */
  async get(owner: KeyOwner): Promise<string | null> {
    const found = await this.#find(owner);
    return found.refusal === null ? found.key : this.#ask(owner, found.refusal, found.keep);
  }

  /** Like `get`, for background requests: rejects with `auth` instead of asking the user. */
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

  /** Whether Loupe would send a key to this address. Never asks the user. An unreadable key is treated as missing. */
  async has(owner: KeyOwner): Promise<boolean> {
    const read = await this.#read(owner);
    return read.type === 'read' && read.stored?.origin === originOf(owner);
  }

  /** Returns the stored key, whatever its origin, or null. Used to remove keys from texts. */
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
      `VS Code's secret storage failed. Loupe keeps the key of ${owner.label} only until this window closes. Enter it again after that.`,
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
    // The text may contain a key, and the parser's message quotes the text.
    throw failure('key.notJson', { error: thrown instanceof SyntaxError ? 'SyntaxError' : 'unreadable' });
  }
}

/** Removes the key from an error of the storage, whose message may quote it. */
function redacted(thrown: unknown, key: string | null): { readonly cause: Error } {
  const words = thrown instanceof Error ? thrown.message : `a thrown ${typeof thrown}`;
  return { cause: new Error(redact(words, key)) };
}
