import { serverInclude } from '../../engine/context/agentProfile.js';
import { isCatalogType, itemKey } from '../../engine/context/item.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ToolServer } from '../../engine/tools/tool.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { Toolbox } from './toolbox.js';

export interface StartPorts {
  readonly toolbox: Pick<Toolbox, 'servers' | 'resources'>;
  readonly catalog: Pick<CatalogSource, 'ofAgent' | 'profiles'>;
}

/**
 * Starts the servers that a chat wants: those with a tool that may be in its requests, and those that have never told their tools. Others
 * start when somebody wants them. One that runs brings its tools up to date where its list has expired. Reads the resources that the chat
 * holds, too. Resolves when each runs or has failed, or when the signal aborts. Never rejects.
 */
export async function startServers(
  chat: Pick<ChatState, 'config' | 'context' | 'removed'>,
  { toolbox, catalog }: StartPorts,
  signal: AbortSignal,
): Promise<void> {
  const servers = toolbox.servers();
  const resources = toolbox.resources.readAll(chat.context.values(), signal);
  if (servers.length === 0) {
    await resources;
    return;
  }
  const items = [...(await catalog.ofAgent(chat.config.agent))].filter(
    ([key, { type, include, isEnabled }]) =>
      type === 'tool' && isEnabled && (chat.context.has(key) || (include !== 'manual' && !chat.removed.has(key))),
  );
  const includes = (await catalog.profiles()).get(chat.config.agent)?.includes ?? new Map();
  const wanted = (server: ToolServer): boolean => {
    if (server.tools.length > 0) {
      return items.some(([, { serverName }]) => serverName === server.name);
    }
    const include = serverInclude(server, includes);
    const isNamed = [...chat.context.values()].some((item) => isCatalogType(item.type) && itemKey(item).startsWith(`tool:${server.name}/`));
    return (include !== 'manual' && include !== 'off') || isNamed;
  };
  await Promise.all([resources, ...servers.filter(wanted).map((server) => server.start(signal))]);
}
