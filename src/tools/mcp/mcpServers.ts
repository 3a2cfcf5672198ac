import { failure } from '../../engine/errors.js';
import { parseMcpConfig, type McpMistake, type McpSource } from './config/mcpConfig.js';
import type { McpPorts } from './mcpPorts.js';
import { McpServer, type McpChange } from './mcpServer.js';
import { OrphanReaper } from './transport/orphanReaper.js';

export interface McpListener {
  /** Called when the list of servers or their configuration mistakes have changed. */
  readonly configured: () => void;
  readonly changed: (server: McpServer, change: McpChange) => void;
}

export class McpServers {
  readonly #ports: McpPorts;
  readonly #reaper = new OrphanReaper();
  readonly #listeners = new Set<McpListener>();
  /** Servers that the user removed, as promises. A promise resolves when all processes of its server have ended. */
  readonly #leaving = new Set<Promise<void>>();
  #servers: readonly McpServer[] = [];
  #mistakes: readonly McpMistake[] = [];

  constructor(ports: McpPorts) {
    this.#ports = ports;
  }

  /** Returns the servers sorted by name, so that all requests contain the tools in the same order. */
  servers(): readonly McpServer[] {
    return this.#servers;
  }

  get mistakes(): readonly McpMistake[] {
    return this.#mistakes;
  }

  /** Returns the secrets in the configuration of all servers, see `configuredSecrets`. */
  async secrets(): Promise<readonly string[]> {
    return (await Promise.all(this.#servers.map((server) => server.configuredSecrets()))).flat();
  }

  /** Applies a new configuration, with the user's settings first. Stops and replaces changed servers. */
  configure(sources: readonly McpSource[]): void {
    const { servers, mistakes } = parseMcpConfig(sources, this.#ports);
    const known = new Map(this.#servers.map((server) => [server.identity, server]));
    const ports = {
      ...this.#ports,
      reaper: this.#reaper,
      changed: (server: McpServer, change: McpChange): void => {
        for (const listener of [...this.#listeners]) {
          listener.changed(server, change);
        }
      },
    };
    const next = servers.map((config) => known.get(config.identity) ?? new McpServer(config, ports));
    const stay = new Set(next);
    for (const server of this.#servers.filter((each) => !stay.has(each))) {
      this.#leave(server);
    }
    this.#servers = next.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.#mistakes = mistakes;
    for (const listener of [...this.#listeners]) {
      listener.configured();
    }
  }

  /** Adds a listener. Returns a function that removes the listener. */
  listen(listener: McpListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** This method and the next ignore the name of a removed server, which a view can show for a short time. */
  async stop(name: string): Promise<void> {
    await this.#named(name)?.stop();
  }

  async restart(name: string, signal: AbortSignal): Promise<void> {
    await this.#named(name)?.restart(signal);
  }

  /** Rejects with the reason if it fails, see `McpServer`. */
  async signIn(name: string, signal: AbortSignal): Promise<void> {
    const server = this.#named(name);
    if (server === undefined) {
      throw failure('mcp.serverGone', { name });
    }
    await server.signIn(signal);
  }

  /** Ignores the name of a removed server. Rejects if the server did not confirm the end of the sign-in. */
  async signOut(name: string, signal: AbortSignal): Promise<void> {
    await this.#named(name)?.signOut(signal);
  }

  logOf(name: string): string {
    return this.#named(name)?.log ?? '';
  }

  /** Stops all servers. Resolves when their processes have ended. */
  async dispose(): Promise<void> {
    this.#listeners.clear();
    await Promise.all([...this.#servers.map((server) => server.stop()), ...this.#leaving]);
  }

  #named(name: string): McpServer | undefined {
    return this.#servers.find((server) => server.name === name);
  }

  #leave(server: McpServer): void {
    const leaving = server.stop().finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }
}
