import { KeyStore, type KeyPorts, type KeyStorage } from '../../../src/host/models/providers/keyStore.js';
import { type LoupeError, toErrorRecord } from '../../../src/engine/errors.js';

/** A secret storage in memory. It can be made to fail with an error that quotes its input. */
class MemorySecrets implements KeyStorage {
  readonly values = new Map<string, string>();
  failing = false;

  async get(key: string): Promise<string | undefined> {
    this.#check(key);
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.#check(`${key} ${value}`);
    this.values.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.#check(key);
    this.values.delete(key);
  }

  #check(given: string): void {
    if (this.failing) {
      throw new Error(`the keyring is locked: ${given}`);
    }
  }
}

/** A key store with all its questions, messages and logs. */
export class KeyRig {
  readonly secrets = new MemorySecrets();
  answer: string | null = null;
  readonly asked: string[] = [];
  readonly told: string[] = [];
  readonly errors: LoupeError[] = [];
  readonly keys: KeyStore;

  constructor(ask?: KeyPorts['ask']) {
    const ports: KeyPorts = {
      secrets: this.secrets,
      ask: async (provider, why) => {
        this.asked.push(why);
        return ask === undefined ? this.answer : ask(provider, why);
      },
      tell: (text) => {
        this.told.push(text);
      },
      logError: (error) => {
        this.errors.push(error);
      },
    };
    this.keys = new KeyStore(ports);
  }

  said(): string {
    return [...this.asked, ...this.told, ...this.errors.map((error) => JSON.stringify(toErrorRecord(error)))].join('\n');
  }
}
