import type { CallTarget } from '../../engine/chat/calls.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { CatalogItem } from '../../engine/context/catalogItem.js';
import { canonicalJson } from '../../engine/json.js';
import type { Sha256 } from '../../engine/ports.js';
import type { CallableTool, RunTools } from '../../engine/tools/offered.js';
import { offeredName } from '../../engine/tools/serverName.js';
import type { Tool, ToolServer } from '../../engine/tools/tool.js';
import { serverNamed, type Toolbox } from './toolbox.js';

export interface ChatToolsPorts {
  readonly toolbox: Toolbox;
  readonly sha256: Sha256;
  /** The state of the chat. */
  readonly state: () => Pick<ChatState, 'allowedTools'>;
  /** The tools of the run's newest request; those of its next one where it has none yet. */
  readonly offered: (signal: AbortSignal) => Promise<readonly CatalogItem[]>;
}

/** The tools of one run of a chat. A call of what the run's newest request did not offer finds nothing. */
export class ChatTools implements RunTools {
  readonly #ports: ChatToolsPorts;

  constructor(ports: ChatToolsPorts) {
    this.#ports = ports;
  }

  async find(name: string, signal: AbortSignal): Promise<CallableTool | null> {
    const { toolbox, offered } = this.#ports;
    const builtIn = toolbox.builtIn(name);
    if (builtIn !== null) {
      return builtIn;
    }
    const item = (await offered(signal)).find((each) => offeredName(each) === name);
    const server = item === undefined ? undefined : serverNamed(toolbox, item.serverName ?? '');
    const tool = server?.tools.find((each) => each.name === item?.name);
    return server === undefined || tool === undefined ? null : this.#callable(server, tool);
  }

  async #callable(server: ToolServer, tool: Tool): Promise<CallableTool> {
    const { toolbox, sha256, state } = this.#ports;
    const target = callTarget(server, tool, sha256);
    const before = await toolbox.always.before(target);
    const allowed = before?.holds === true ? 'always' : state().allowedTools.has(target.binding) ? 'chat' : null;
    const asks = { ...target, saysItOnlyReads: tool.saysItOnlyReads, hasChanged: before?.holds === false };
    return { asks, allowed, call: (args, options) => server.call(tool.name, args, options) };
  }
}

/** What the user allows with a tool. */
export function callTarget({ name: serverName, identity }: ToolServer, tool: Tool, sha256: Sha256): CallTarget {
  const { name, description, inputSchema } = tool;
  return { name, serverName, binding: sha256(canonicalJson([serverName, identity, name, description, inputSchema])) };
}
