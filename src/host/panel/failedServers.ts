import type { ContextRecord } from '../../engine/request/manifest.js';
import type { UnknownServer } from '../../protocol/nextRequest.js';
import type { ServersState, ServerState } from '../tools/serverStates.js';
import { toolsByServer, type ToolRecord } from './toolRecords.js';

/** The servers that the chat wants and that failed, a sentence for each: the model does not get their tools. */
export function failedServers({ servers }: ServersState, records: readonly ContextRecord[]): readonly string[] {
  const tools = toolsByServer(records);
  return servers.flatMap((server) => {
    const { name, status, problem } = server;
    return status === 'failed' && isWanted(server, tools.get(name) ?? [])
      ? [`${name} failed, so its tools are left out. ${problem ?? ''}`.trim()]
      : [];
  });
}

/** Servers that the chat uses and that have never listed their tools. */
export function unknownServers({ servers }: ServersState): readonly UnknownServer[] {
  return servers.flatMap((server) => {
    const { name, status, tools } = server;
    const isUnknown = tools.length === 0 && (status === 'stopped' || status === 'starting') && isWanted(server, []);
    return isUnknown ? [{ name, isStarting: status === 'starting' }] : [];
  });
}

/** Where its tools are not known, the agent alone says whether the chat wants them. */
function isWanted({ include }: ServerState, tools: readonly ToolRecord[]): boolean {
  return tools.length === 0 ? include === 'always' || include === 'agent' : tools.some(({ leftOut }) => leftOut?.code === 'serverFailed');
}
