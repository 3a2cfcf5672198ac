import { toLoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';

/** Time in ms for which a list is valid, longer than typing a name takes. */
const FRESH_MS = 10_000;

export interface ListingServer {
  readonly name: string;
  readonly identity: string;
}

export interface ServerList<T> {
  readonly items: readonly T[];
  readonly isReading: boolean;
  readonly problem: string | null;
}

interface CachedList<T> extends Omit<ServerList<T>, 'isReading'> {
  /** When the list was read. Null for a list that must be read again. */
  readonly at: number | null;
}

/** Lists of servers, each cached for a short time. After a failure, the next call reads the list again. */
export class ServerLists<S extends ListingServer, T> {
  readonly #read: (server: S) => Promise<readonly T[]>;
  readonly #clock: Pick<Clock, 'now'>;
  /** The cached list of each server, by server identity. A changed configuration changes the identity. */
  readonly #kept = new Map<string, CachedList<T>>();
  readonly #reading = new Map<string, Promise<void>>();

  constructor(read: (server: S) => Promise<readonly T[]>, clock: Pick<Clock, 'now'>) {
    this.#read = read;
    this.#clock = clock;
  }

  of({ identity }: S): ServerList<T> {
    const { items, problem } = this.#keptOf(identity);
    return { items, problem, isReading: this.#reading.has(identity) };
  }

  /** Reads expired lists again. Calls `changed` after each list. Never rejects. */
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

  /** Returns the read of a server's list. Null while the cached list is valid. */
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
      // The server logs the error. The message stays in the cache, for the user.
      this.#kept.set(identity, { items: [], problem: toLoupeError(thrown).message, at: null });
    }
  }

  #keptOf(identity: string): CachedList<T> {
    return this.#kept.get(identity) ?? { items: [], problem: null, at: null };
  }
}
