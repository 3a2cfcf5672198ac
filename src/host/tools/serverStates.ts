import type { ChatState } from '../../engine/chat/state.js';
import { serverInclude, type AgentInclude, type AgentProfile } from '../../engine/context/agentProfile.js';
import { hasServer } from '../../engine/tools/serverName.js';
import type { McpMistake } from '../../tools/mcp/config/mcpConfig.js';
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
  /** Whether the chat does without Loupe's own tools, which the window has. */
  readonly lacksOwn: boolean;
}

export const NO_SERVERS: ServersState = { servers: [], mistakes: [], lacksOwn: false };

/** The servers of a window that a chat has, in its include modes. */
export function serverStates(
  shown: ShownServers,
  { config, includes }: Pick<ChatState, 'config'> & Pick<AgentProfile, 'includes'>,
): ServersState {
  const all = shown.servers();
  const had = all.filter(({ name }) => hasServer(config, name));
  const servers = had.map((server) => {
    const { name, status, problem, tools } = server;
    return { name, status, problem, tools, hasLog: shown.hasLog(name), include: serverInclude(server, includes) };
  });
  return { servers, mistakes: shown.mistakes(), lacksOwn: had.length < all.length };
}
