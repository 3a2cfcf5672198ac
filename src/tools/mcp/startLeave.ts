import { failure } from '../../engine/errors.js';
import { launchText } from './launchText.js';
import type { ServerConfig } from './mcpConfig.js';
import type { McpPorts } from './mcpPorts.js';

/** Whether a server may start: one of the user's own may, about one of a workspace the user is asked. */
export class StartLeave {
  readonly #config: ServerConfig;
  readonly #mayStart: McpPorts['mayStart'];
  /** The question while it is open. */
  #question: Promise<boolean> | null = null;

  constructor(config: ServerConfig, { mayStart }: Pick<McpPorts, 'mayStart'>) {
    this.#config = config;
    this.#mayStart = mayStart;
  }

  /** Throws `mcp.startNotAllowed`, or the reason of the signal, when it may not. */
  async require(life: AbortSignal): Promise<void> {
    const isAllowed = await this.ask(life);
    life.throwIfAborted();
    if (!isAllowed) {
      throw failure('mcp.startNotAllowed');
    }
  }

  /** Asks once, whoever waits for the answer. Resolves to false when the life of the server ends. */
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
