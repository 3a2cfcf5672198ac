import { serverInclude, type AgentInclude, type AgentProfile } from '../../engine/context/agentProfile.js';
import type { McpMistake } from '../../tools/mcp/mcpConfig.js';
import type { ServerQuestionView } from '../../protocol/servers.js';
import type { ToolServer } from '../../engine/tools/tool.js';

/** The servers of a window, for a view of them. */
export interface ShownServers {
  /** None in a workspace that is not trusted. */
  servers(): readonly ToolServer[];
  /** Whether it is a server that Loupe starts: it has a log, and can be started again. */
  hasLog(name: string): boolean;
  /** What is wrong with the configuration of servers. */
  mistakes(): readonly McpMistake[];
  /** The server that has waited longest for the user's leave to start; null when none does. */
  startQuestion(): ServerQuestionView | null;
}

/** A server as it is now, and as the agent of a chat has it. */
export interface ServerState extends Pick<ToolServer, 'name' | 'status' | 'problem' | 'tools'> {
  readonly hasLog: boolean;
  readonly include: AgentInclude;
}

/** What a view shows of all servers. */
export interface ServersState {
  readonly servers: readonly ServerState[];
  readonly mistakes: readonly McpMistake[];
}

export const NO_SERVERS: ServersState = { servers: [], mistakes: [] };

export function serverStates(shown: ShownServers, includes: AgentProfile['includes']): ServersState {
  const servers = shown.servers().map((server) => {
    const { name, status, problem, tools } = server;
    return { name, status, problem, tools, hasLog: shown.hasLog(name), include: serverInclude(server, includes) };
  });
  return { servers, mistakes: shown.mistakes() };
}
