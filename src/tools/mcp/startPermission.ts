import { failure } from '../../engine/errors.js';
import { launchText } from './launchText.js';
import type { ServerConfig } from './config/mcpConfig.js';
import type { McpPorts } from './mcpPorts.js';

/** The permission to start a server. Loupe asks the user, except for servers in the user's own settings. */
export class StartPermission {
  readonly #config: ServerConfig;
  readonly #mayStart: McpPorts['mayStart'];
  /** The open question to the user. Null without an open question. */
  #question: Promise<boolean> | null = null;

  constructor(config: ServerConfig, { mayStart }: Pick<McpPorts, 'mayStart'>) {
    this.#config = config;
    this.#mayStart = mayStart;
  }

  /** Resolves when the server may start. Throws `mcp.startNotAllowed`, or the reason of the aborted signal. */
  async require(life: AbortSignal): Promise<void> {
    const isAllowed = await this.ask(life);
    life.throwIfAborted();
    if (!isAllowed) {
      throw failure('mcp.startNotAllowed');
    }
  }

  /** Returns the user's decision. All callers share one question. Resolves to false when `life` aborts. */
  ask(life: AbortSignal): Promise<boolean> {
    const { name, place, identity, isOwn, launch } = this.#config;
    if (isOwn) {
      return Promise.resolve(true);
    }
    this.#question ??= this.#mayStart({ name, place, identity, launch: launchText(launch) }, life).finally(() => {
      this.#question = null;
    });
    return this.#question;
  }
}
