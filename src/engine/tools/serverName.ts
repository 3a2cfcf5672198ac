import type { ChatConfig } from '../chat/settings/config.js';
import type { CatalogItem } from '../context/catalogItem.js';

/** The server of Loupe's own tools. No other server can have this name. */
export const WORKSPACE_SERVER = 'workspace';

/** Whether a chat has the tools of a server. A chat can switch off Loupe's own. */
export function hasServer({ workspaceTools }: Pick<ChatConfig, 'workspaceTools'>, serverName: string): boolean {
  return workspaceTools === 'on' || serverName !== WORKSPACE_SERVER;
}

/**
 * Returns the unique name by which a model calls a tool. It includes the server's name, because two servers may have
 * tools of one name. It does not depend on other tools, so that the prefix of a growing conversation keeps its bytes.
 */
export function offeredName({ name, serverName }: Pick<CatalogItem, 'name' | 'serverName'>): string {
  return serverName === null || serverName === WORKSPACE_SERVER ? name : `${withoutSeparator(serverName)}__${name}`;
}

/**
 * Changes the server's name so that the first `__` after it ends it. This separates `git__log` with the tool `read`
 * from `git` with `log__read`. A `~` divides underscores, and a `~` in the name is doubled.
 */
function withoutSeparator(serverName: string): string {
  return serverName.replaceAll('~', '~~').replace(/_(?=_|$)/g, '_~');
}
