import { serverInclude } from '../../engine/context/agentProfile.js';
import { isCatalogType, isResource, itemKey } from '../../engine/record/item.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ToolServer } from '../../engine/tools/tool.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { Toolbox } from './toolbox.js';

export interface ToolSupport {
  /** Whether the chat's model accepts tools. Rejects with `modelGone`. */
  takesTools(chat: Pick<ChatState, 'config'>): Promise<boolean>;
}

export interface StartPorts {
  readonly requests: ToolSupport;
  readonly toolbox: Pick<Toolbox, 'servers' | 'resources'>;
  readonly catalog: Pick<CatalogSource, 'ofChat' | 'includesOf'>;
}

/** The servers and resources that must be ready before Loupe composes a request. */
export interface NeededServers {
  readonly servers: readonly Pick<ToolServer, 'name' | 'status' | 'start' | 'allowed'>[];
  /** Names of the servers whose resources the chat has. */
  readonly read: ReadonlySet<string>;
  /** Reads the resources of the chat again. Never rejects. */
  readonly readResources: (signal: AbortSignal) => Promise<void>;
}

/**
 * Returns what must be ready before a chat's next message: the resources of the chat with their servers, the servers of
 * the tools in its requests, and included servers whose tools are unknown. For a model that does not accept tools, only
 * the resources and their servers. Rejects with `modelGone`.
 */
export async function neededServers(
  chat: Pick<ChatState, 'config' | 'context' | 'removed'>,
  { requests, toolbox, catalog }: StartPorts,
): Promise<NeededServers> {
  const servers = toolbox.servers();
  const read = new Set([...chat.context.values()].flatMap((item) => (isResource(item) ? [item.serverName] : [])));
  const resources = { read, readResources: (signal: AbortSignal) => toolbox.resources.readAll(chat.context.values(), signal) };
  if (servers.length === 0 || !(await requests.takesTools(chat))) {
    return { servers: servers.filter(({ name }) => read.has(name)), ...resources };
  }
  const items = [...(await catalog.ofChat(chat.config))].filter(
    ([key, { type, include, offBy }]) =>
      type === 'tool' && offBy === null && (chat.context.has(key) || (include !== 'manual' && !chat.removed.has(key))),
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
  return { servers: servers.filter((server) => read.has(server.name) || wanted(server)), ...resources };
}
