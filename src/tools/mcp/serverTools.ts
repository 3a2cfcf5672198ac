import { toLoupeError } from '../../engine/errors.js';
import type { Tool } from '../../engine/tools/tool.js';
import type { McpConnection } from './mcpConnection.js';
import type { ToolListStore } from './mcpPorts.js';
import type { ServerLog } from './serverLog.js';
import { sameTools, storedTools } from './toTools.js';

export interface ServerToolsPorts {
  readonly identity: string;
  readonly kept: ToolListStore;
  readonly log: ServerLog;
  readonly changed: () => void;
  /** Returns the open connection of the server. Null without one. */
  readonly connection: () => McpConnection | null;
}

/** The tools of a server: before its first start, the tools that it had in an earlier window. */
export class ServerTools {
  readonly #ports: ServerToolsPorts;
  #tools: readonly Tool[];

  constructor(ports: ServerToolsPorts) {
    this.#ports = ports;
    this.#tools = storedTools(ports.kept.get(ports.identity)) ?? [];
  }

  get all(): readonly Tool[] {
    return this.#tools;
  }

  take(tools: readonly Tool[]): void {
    if (!sameTools(tools, this.#tools)) {
      this.#tools = tools;
      this.#ports.kept.keep(this.#ports.identity, tools);
      this.#ports.changed();
    }
  }

  /** Reads the tools again if their list has expired. */
  async renew(life: AbortSignal): Promise<void> {
    if (this.#ports.connection()?.listsExpire === true) {
      await this.read('use', life);
    }
  }

  /** Reads the tools of a running server. After an error, logs the error and keeps the earlier tools. */
  async read(mode: 'use' | 'refresh', life: AbortSignal): Promise<void> {
    const { connection: current, log } = this.#ports;
    const connection = current();
    try {
      const tools = await connection?.tools(mode, life);
      if (tools !== undefined && current() === connection) {
        this.take(tools);
      }
    } catch (thrown) {
      if (current() === connection && !life.aborted) {
        log.note(toLoupeError(thrown).message);
      }
    }
  }
}
