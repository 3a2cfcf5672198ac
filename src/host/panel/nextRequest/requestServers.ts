import type { ContextRecord } from '../../../engine/record/manifest.js';
import { offeredName, hasServer } from '../../../engine/tools/serverName.js';
import type { FailedServer } from '../../../protocol/panel/nextRequest.js';
import type { RequestServer } from '../../../protocol/panel/requestRows.js';
import { notSelectedTools } from '../../request/excluded/notSelectedItems.js';
import { type ServersState, type ServerState, isIncluded } from '../../tools/serverStates.js';
import type { LastCalls } from '../../../engine/next/lastCalls.js';
import { isHeld, toolsByServer, type ToolRecord } from '../../../engine/record/toolRecords.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { billedPrices } from '../../../engine/model/price.js';
import { itemKey } from '../../../engine/record/item.js';
import { manifestBase } from '../../../engine/request/base.js';
import { deferredKey } from '../../../engine/request/onDemandTools.js';
import { counted, price } from '../../../protocol/numbers.js';
import { namedChanges } from '../../../protocol/uncached.js';
import type { ToolChanges } from '../../../engine/diagnosis/cause.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';

/** Returns the failed servers that the chat uses. The tools of such a server are not offered. */
export function failedServers({ servers }: ServersState, records: readonly ContextRecord[]): readonly FailedServer[] {
  const tools = toolsByServer(records);
  return servers.flatMap((server) => {
    const { name, status, problem, signIn } = server;
    return status === 'failed' && isWanted(server, tools.get(name) ?? [])
      ? [{ name, problem: problem ?? '', wantsSignIn: signIn === 'wanted' }]
      : [];
  });
}

/** Whether the chat uses a failed server. While its tools are unknown, only the server's include mode decides. */
function isWanted(server: ServerState, tools: readonly ToolRecord[]): boolean {
  return tools.length === 0 ? isIncluded(server) : tools.some(({ leftOut }) => leftOut?.code === 'serverFailed');
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

/** Returns a sentence per server that changed its tools since the last request for a reply, with the extra cost. */
export function changedTools(composed: ToolChangeInput, state: RecordedChat): readonly string[] {
  const sentences = changesSince(composed, state);
  const last = sentences.at(-1);
  return last === undefined ? [] : [...sentences.slice(0, -1), `${last}${lostText(composed)}`];
}

type RecordedChat = Pick<ChatState, 'config' | 'timeline' | 'runs' | 'attempts'>;

type ToolChangeInput = Pick<ComposedRequest, 'records' | 'prompt' | 'context' | 'model' | 'forecast' | 'forecastWithSentTools'>;

function changesSince({ records, prompt, context }: ToolChangeInput, state: RecordedChat): readonly string[] {
  const before = manifestBase(state)?.content ?? null;
  if (before === null || context.isRestricted) {
    return [];
  }
  const sent = new Map(before.blocks.flatMap(({ key, hash, role }) => (role === 'tools' ? [[key, hash] as const] : [])));
  const now = new Map(prompt.tools.map(({ key, hash }) => [key, hash]));
  const known = new Set(before.context.map(({ item }) => itemKey(item)));
  const tools = toolsByServer(records);
  return [...toolsByServer(before.context)].flatMap(([server, all]) => {
    const held = all.filter(isHeld).map(({ item: { name }, item }) => ({ name, key: itemKey(item) }));
    if (held.length === 0 || !hasServer(state.config, server)) {
      return [];
    }
    const added = (tools.get(server) ?? []).filter((record) => isHeld(record) && !known.has(itemKey(record.item)));
    return sentence(server, {
      added: added.map(({ item }) => item.name),
      removed: held.filter(({ key }) => !context.catalog.has(key)).map(({ name }) => name),
      // Compares equal keys: an unchanged tool that becomes loadable on demand has a block with another key.
      changed: held
        .filter(({ key }) => [key, deferredKey(key)].some((each) => isChanged(sent.get(each), now.get(each))))
        .map(({ name }) => name),
    });
  });
}

function isChanged(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

function sentence(server: string, changes: ToolChanges): readonly string[] {
  const names = namedChanges(changes);
  return names === '' ? [] : [`The server "${server}" changed its tools (${names}).`];
}

/** Returns a sentence about what a change of tools costs, which come first in a request. Empty without a loss. */
function lostText({ forecast, forecastWithSentTools, model }: ToolChangeInput): string {
  const unchanged = forecastWithSentTools();
  const lost = forecast === null || unchanged === null ? 0 : unchanged.parts.read - forecast.parts.read;
  if (lost <= 0) {
    return '';
  }
  const cost = billedPrices(model.prices) === null ? 0 : (forecast?.costNow ?? 0) - (unchanged?.costNow ?? 0);
  return ` This message rebuilds the cache once: ${cost <= 0 ? counted(lost, 'token') : `about ${price(cost)} more`}.`;
}
