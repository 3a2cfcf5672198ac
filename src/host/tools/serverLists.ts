import { toLoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';

/** So long what a server has listed holds: longer than a name is typed, shorter than a change is missed. */
const FRESH_MS = 10_000;

/** A server that lists something. */
export interface ListingServer {
  readonly name: string;
  readonly identity: string;
}

/** What a server has listed, as far as it is known. */
export interface ServerList<T> {
  readonly items: readonly T[];
  readonly isReading: boolean;
  /** Why it could not be read; null when it could, or has not been. */
  readonly problem: string | null;
}

interface Kept<T> extends Omit<ServerList<T>, 'isReading'> {
  /** When it was read, by the clock; null for never. */
  readonly at: number | null;
}

/** What servers list, each kept for a while. One that could not be read is read again at once. */
export class ServerLists<S extends ListingServer, T> {
  readonly #read: (server: S) => Promise<readonly T[]>;
  readonly #clock: Pick<Clock, 'now'>;
  /** By the identities of the servers: one that is configured anew is another one. */
  readonly #kept = new Map<string, Kept<T>>();
  readonly #reading = new Map<string, Promise<void>>();

  constructor(read: (server: S) => Promise<readonly T[]>, clock: Pick<Clock, 'now'>) {
    this.#read = read;
    this.#clock = clock;
  }

  of({ identity }: S): ServerList<T> {
    const { items, problem } = this.#keptOf(identity);
    return { items, problem, isReading: this.#reading.has(identity) };
  }

  /** Reads what is not fresh, and calls `changed` after each list. Never rejects. */
  async refresh(servers: readonly S[], changed: () => void): Promise<void> {
    await Promise.all(
      servers.map(async (server) => {
        const reading = this.#refreshed(server);
        if (reading !== null) {
          await reading;
          changed();
        }
      }),
    );
  }

  /** The reading that goes on, or begins; null where the list is fresh. */
  #refreshed(server: S): Promise<void> | null {
    const { identity } = server;
    const { at } = this.#keptOf(identity);
    const isFresh = at !== null && this.#clock.now() - at <= FRESH_MS;
    if (!isFresh && !this.#reading.has(identity)) {
      this.#reading.set(
        identity,
        this.#readNow(server).finally(() => this.#reading.delete(identity)),
      );
    }
    return this.#reading.get(identity) ?? null;
  }

  async #readNow(server: S): Promise<void> {
    const { identity } = server;
    try {
      this.#kept.set(identity, { items: await this.#read(server), problem: null, at: this.#clock.now() });
    } catch (thrown) {
      // The server itself logs it. Here it is shown.
      this.#kept.set(identity, { items: [], problem: toLoupeError(thrown).message, at: null });
    }
  }

  #keptOf(identity: string): Kept<T> {
    return this.#kept.get(identity) ?? { items: [], problem: null, at: null };
  }
}
