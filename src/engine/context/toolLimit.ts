import type { Catalog, CatalogItem } from './catalogItem.js';

/** The tools that an agent may use. While the agent is selected, a chat offers no other tools. */
export interface ToolLimit {
  /** Null for all tools. */
  readonly allowed: readonly ToolPattern[] | null;
  readonly denied: readonly ToolPattern[];
}

/** A name in the list of an agent, and the tools that it means. */
export interface ToolPattern {
  /** The name as the agent's file writes it. */
  readonly written: string;
  /** A server, or all servers except one. Null for a name that may be a server or a tool. */
  readonly server: string | { readonly not: string } | null;
  /** Names of tools. Null for all tools of the server. */
  readonly tools: readonly string[] | null;
}

type ToolItem = Pick<CatalogItem, 'name' | 'serverName'>;

/** Returns the catalog in which the tools outside the limit are disabled. */
export function limitedCatalog(catalog: Catalog, limit: ToolLimit | null): Catalog {
  if (limit === null) {
    return catalog;
  }
  return new Map(
    [...catalog].map(([key, item]) => [key, item.type === 'tool' && !isAllowed(item, limit) ? { ...item, offBy: 'agent' } : item]),
  );
}

function isAllowed(tool: ToolItem, { allowed, denied }: ToolLimit): boolean {
  const isMeant = (pattern: ToolPattern): boolean => means(pattern, tool);
  return (allowed === null || allowed.some(isMeant)) && !denied.some(isMeant);
}

/** Whether a server that has not listed its tools yet can have allowed tools. */
export function mayUseServer(server: string, { allowed, denied }: ToolLimit): boolean {
  const isOfServer = (pattern: ToolPattern): boolean => isServer(pattern.server ?? pattern.written, server);
  return (allowed === null || allowed.some(isOfServer)) && !denied.some((pattern) => pattern.tools === null && isOfServer(pattern));
}

/** Returns the names in the list of allowed tools that mean no tool of the catalog. */
export function namesWithoutTool({ allowed }: ToolLimit, catalog: Catalog): readonly string[] {
  const tools = [...catalog.values()].filter(({ type }) => type === 'tool');
  return (allowed ?? []).filter((pattern) => !tools.some((tool) => means(pattern, tool))).map(({ written }) => written);
}

function means({ server, tools }: ToolPattern, { name, serverName }: ToolItem): boolean {
  const isNamed = tools === null || tools.includes(name);
  if (server === null) {
    return isNamed || tools.some((each) => isServer(each, serverName ?? ''));
  }
  return isNamed && isServer(server, serverName ?? '');
}

/** Compares the names of servers as Claude Code writes them: with `_` in place of signs. */
function isServer(written: NonNullable<ToolPattern['server']>, server: string): boolean {
  const plain = (name: string): string => name.replaceAll(/[^\w-]/g, '_');
  return typeof written === 'string' ? plain(written) === plain(server) : server !== written.not;
}
