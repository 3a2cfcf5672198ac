import { serverInclude } from '../../engine/context/agentProfile.js';
import { isCatalogType, itemKey } from '../../engine/record/item.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ToolServer } from '../../engine/tools/tool.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { Toolbox } from './toolbox.js';

/** What knows the models of chats. */
export interface ToolTakers {
  /** Whether the chat's model takes tools. Rejects with `modelGone`. */
  takesTools(chat: Pick<ChatState, 'config'>): Promise<boolean>;
}

export interface StartPorts {
  readonly requests: ToolTakers;
  readonly toolbox: Pick<Toolbox, 'servers' | 'resources'>;
  readonly catalog: Pick<CatalogSource, 'ofChat' | 'includesOf'>;
}

/** What a message needs before its request is composed. */
export interface NeededServers {
  readonly servers: readonly Pick<ToolServer, 'name' | 'status' | 'start' | 'allowed'>[];
  /** Whatever else comes from servers. Never rejects. */
  readonly others: (signal: AbortSignal) => Promise<void>;
}

/**
 * What a chat needs of servers before its next message is sent: those with a tool that may be in its requests, and those that
 * have never listed their tools. Others start on demand. One that runs updates its tools where its list has expired. For a model
 * that takes no tools no server starts for its tools. The resources that the chat holds are read in any case. Rejects with `modelGone`.
 */
export async function neededServers(
  chat: Pick<ChatState, 'config' | 'context' | 'removed'>,
  { requests, toolbox, catalog }: StartPorts,
): Promise<NeededServers> {
  const servers = toolbox.servers();
  const others = (signal: AbortSignal): Promise<void> => toolbox.resources.readAll(chat.context.values(), signal);
  if (servers.length === 0 || !(await requests.takesTools(chat))) {
    return { servers: [], others };
  }
  const items = [...(await catalog.ofChat(chat.config))].filter(
    ([key, { type, include, isEnabled }]) =>
      type === 'tool' && isEnabled && (chat.context.has(key) || (include !== 'manual' && !chat.removed.has(key))),
  );
  const includes = await catalog.includesOf(chat.config.agent);
  const wanted = (server: ToolServer): boolean => {
    if (server.tools.length > 0) {
      return items.some(([, { serverName }]) => serverName === server.name);
    }
    const include = serverInclude(server, includes);
    const isNamed = [...chat.context.values()].some((item) => isCatalogType(item.type) && itemKey(item).startsWith(`tool:${server.name}/`));
    return (include !== 'manual' && include !== 'off') || isNamed;
  };
  return { servers: servers.filter(wanted), others };
}
