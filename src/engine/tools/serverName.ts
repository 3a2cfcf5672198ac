import type { ChatConfig } from '../chat/settings/config.js';
import type { CatalogItem } from '../context/catalogItem.js';

/** The server of Loupe's built-in tools. No other server can have this name. */
export const WORKSPACE_SERVER = 'workspace';

/** Whether a chat has the tools of a server. The user can switch off Loupe's built-in tools in a chat. */
export function hasServer({ workspaceTools }: Pick<ChatConfig, 'workspaceTools'>, serverName: string): boolean {
  return workspaceTools === 'on' || serverName !== WORKSPACE_SERVER;
}

/**
 * Returns the unique name by which a model calls a tool. For a tool of an MCP server, the name includes the server's
 * name, because two servers can have tools of the same name. The name does not depend on other tools, so that the
 * prefix of a growing conversation keeps its bytes.
 */
export function offeredName({ name, serverName }: Pick<CatalogItem, 'name' | 'serverName'>): string {
  return serverName === null || serverName === WORKSPACE_SERVER ? name : `${withoutSeparator(serverName)}__${name}`;
}

/**
 * Escapes a server's name so that the first `__` in a tool's name ends the server's name. So `read` of the server
 * `git__log` and `log__read` of the server `git` differ. A `~` divides underscores, and a `~` in the name is doubled.
 */
function withoutSeparator(serverName: string): string {
  return serverName.replaceAll('~', '~~').replace(/_(?=_|$)/g, '_~');
}
