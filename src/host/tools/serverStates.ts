import type { ChatState } from '../../engine/chat/state.js';
import { serverInclude, serverKey, type AgentInclude, type ChosenIncludes } from '../../engine/context/agentProfile.js';
import type { OffBy } from '../../engine/record/item.js';
import { hasServer } from '../../engine/tools/serverName.js';
import type { McpMistake } from '../../tools/mcp/config/mcpConfig.js';
import type { UnknownServer } from '../../protocol/panel/nextRequest.js';
import type { ServerQuestionView } from '../../protocol/questions.js';
import type { SignInState, ToolServer } from '../../engine/tools/tool.js';

export interface ShownServers {
  /** Returns the servers of the window. Empty in Restricted Mode. */
  servers(): readonly ToolServer[];
  /** Whether Loupe runs the server. The user can then read its log and restart it. */
  hasLog(name: string): boolean;
  /** Returns the state of the user's sign-in to the server. `none` for an unknown server. */
  signIn(name: string): SignInState;
  mistakes(): readonly McpMistake[];
  /** Returns the oldest question whether a server may start. Null without an open question. */
  startQuestion(): ServerQuestionView | null;
}

/** A server's current state, with its include mode for the agent of a chat. */
export interface ServerState extends Pick<ToolServer, 'name' | 'status' | 'problem' | 'tools'> {
  readonly hasLog: boolean;
  readonly signIn: SignInState;
  readonly include: AgentInclude;
  /** Who switched off the server. Null for a server that is on. */
  readonly offBy: OffBy | null;
}

export interface ServersState {
  readonly servers: readonly ServerState[];
  readonly mistakes: readonly McpMistake[];
  /** Whether the chat's settings turn off Loupe's own tools. */
  readonly lacksOwn: boolean;
}

export const NO_SERVERS: ServersState = { servers: [], mistakes: [], lacksOwn: false };

/** Returns the servers that a chat uses, with their include modes. */
export function serverStates(
  shown: ShownServers,
  { config, includes }: Pick<ChatState, 'config'> & { readonly includes: ChosenIncludes },
): ServersState {
  const all = shown.servers();
  const had = all.filter(({ name }) => hasServer(config, name));
  const servers = had.map((server) => {
    const { name, status, problem, tools } = server;
    const { hasLog, signIn } = { hasLog: shown.hasLog(name), signIn: shown.signIn(name) };
    const include = serverInclude(server, includes);
    const offBy = include === 'off' ? (includes.get(serverKey(name))?.by ?? null) : null;
    return { name, status, problem, tools, hasLog, signIn, include, offBy };
  });
  return { servers, mistakes: shown.mistakes(), lacksOwn: had.length < all.length };
}

/** Returns servers that the chat uses and that have never listed their tools. */
export function unknownServers({ servers }: ServersState): readonly UnknownServer[] {
  return servers.flatMap((server) => {
    const { name, status, tools } = server;
    const isUnknown = tools.length === 0 && (status === 'stopped' || status === 'starting') && isIncluded(server);
    return isUnknown ? [{ name, isStarting: status === 'starting' }] : [];
  });
}

/** Whether requests contain tools of the server as soon as the tools are known. */
export function isIncluded({ include }: Pick<ServerState, 'include'>): boolean {
  return include === 'always' || include === 'agent';
}
