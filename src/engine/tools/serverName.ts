import type { ChatConfig } from '../chat/settings/config.js';
import type { CatalogItem } from '../context/catalogItem.js';

/** The server of Loupe's own tools. Its name cannot be taken by another one. */
export const WORKSPACE_SERVER = 'workspace';

/** Whether a chat has the tools of a server: it may do without Loupe's own. */
export function hasServer({ workspaceTools }: Pick<ChatConfig, 'workspaceTools'>, serverName: string): boolean {
  return workspaceTools === 'on' || serverName !== WORKSPACE_SERVER;
}

/**
 * The name by which a model calls a tool: with that of its server, because two servers may have tools of one name. A name does not
 * depend on other tools, so that the prefix of a growing conversation keeps its bytes. No two tools have the same one.
 */
export function offeredName({ name, serverName }: Pick<CatalogItem, 'name' | 'serverName'>): string {
  return serverName === null || serverName === WORKSPACE_SERVER ? name : `${withoutSeparator(serverName)}__${name}`;
}

/**
 * The server's name, such that the first `__` behind it ends it: `git__log` with the tool `read` is told from `git` with `log__read`.
 * A `~` divides underscores, and stands twice where the name has it.
 */
function withoutSeparator(serverName: string): string {
  return serverName.replaceAll('~', '~~').replace(/_(?=_|$)/g, '_~');
}
