import type { JsonObject } from '../../../engine/json.js';
import type { ToolCallOptions } from '../../../engine/ports.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { ApprovalSubject } from '../../../engine/chat/calls/calls.js';
import type { SecretRead, Tool, ToolServer } from '../../../engine/tools/tool.js';
import { failedCall, type WorkspaceTool } from './workspaceTool.js';

/** Loupe's own tools, as a server that is always running. */
export class WorkspaceServer implements ToolServer {
  readonly name = WORKSPACE_SERVER;
  readonly status = 'running';
  readonly problem = null;
  readonly include = 'always';
  /** Constant, without Loupe's version: an approval ends anyway when the description of the tool changes. */
  readonly identity = WORKSPACE_SERVER;
  readonly tools: readonly Tool[];
  readonly #tools: ReadonlyMap<string, WorkspaceTool>;
  readonly #folders: () => readonly string[];

  /** `chatTools`: tools that `ChatTools` runs, because they need the chat. `folders`: URIs of the workspace folders. */
  constructor(tools: readonly WorkspaceTool[], chatTools: readonly Tool[], folders: () => readonly string[]) {
    this.#folders = folders;
    this.tools = [...tools, ...chatTools];
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  allowed(): Promise<void> {
    return Promise.resolve();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async secretRead(name: string, args: JsonObject): Promise<SecretRead | null> {
    return (await this.#tools.get(name)?.secretRead?.(args)) ?? null;
  }

  async setupFile(name: string, args: JsonObject): Promise<string | null> {
    return (await this.#tools.get(name)?.setupFile?.(args)) ?? null;
  }

  async covers(name: string, args: JsonObject): Promise<ApprovalSubject | null> {
    const subject = (await this.#tools.get(name)?.covers?.(args)) ?? null;
    return subject === null ? null : { ...subject, folders: this.#folders() };
  }

  call(name: string, args: JsonObject, options: ToolCallOptions): Promise<CallOutcome> {
    const tool = this.#tools.get(name);
    return tool === undefined ? Promise.resolve(failedCall(`There is no tool named ${name}.`)) : tool.run(args, options);
  }
}
