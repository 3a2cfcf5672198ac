import type { ContextRecord } from '../../../engine/record/manifest.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import type { UnknownServer } from '../../../protocol/panel/nextRequest.js';
import type { RequestServer } from '../../../protocol/panel/requestRows.js';
import { notSelectedTools } from '../../request/excluded/notSelectedItems.js';
import type { ServersState, ServerState } from '../../tools/serverStates.js';
import type { LastCalls } from '../../../engine/next/lastCalls.js';
import { isHeld, toolsByServer, type ToolRecord } from '../../../engine/record/toolRecords.js';

/** Returns a sentence per failed server that the chat uses. The tools of such a server are not offered. */
export function failedServers({ servers }: ServersState, records: readonly ContextRecord[]): readonly string[] {
  const tools = toolsByServer(records);
  return servers.flatMap((server) => {
    const { name, status, problem } = server;
    return status === 'failed' && isWanted(server, tools.get(name) ?? [])
      ? [`The server ${name} failed, so Loupe does not offer its tools. ${problem ?? ''}`.trim()]
      : [];
  });
}

/** Returns servers that the chat uses and that have never listed their tools. */
export function unknownServers({ servers }: ServersState): readonly UnknownServer[] {
  return servers.flatMap((server) => {
    const { name, status, tools } = server;
    const isUnknown = tools.length === 0 && (status === 'stopped' || status === 'starting') && isWanted(server, []);
    return isUnknown ? [{ name, isStarting: status === 'starting' }] : [];
  });
}

/** Whether the chat uses a server. While its tools are unknown, only the server's include mode decides. */
function isWanted({ include }: ServerState, tools: readonly ToolRecord[]): boolean {
  return tools.length === 0 ? include === 'always' || include === 'agent' : tools.some(({ leftOut }) => leftOut?.code === 'serverFailed');
}

/** Returns the servers with a tool in the request. */
export function requestServers(records: readonly ContextRecord[], { replies, ago }: LastCalls): readonly RequestServer[] {
  return [...toolsByServer(records)].flatMap(([name, tools]) => {
    const calls = tools.flatMap(({ item }) => {
      const last = ago.get(offeredName(item));
      return last === undefined ? [] : [{ name: item.name, ago: last }];
    });
    return tools.some(isHeld) ? [{ name, total: tools.length, notSelected: notSelectedTools(tools), replies, calls }] : [];
  });
}
