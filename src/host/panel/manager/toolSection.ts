import { serverKey } from '../../../engine/context/agentProfile.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { itemKey, type OffScope } from '../../../engine/record/item.js';
import type { TokenCounter } from '../../../engine/ports.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import type { Tool } from '../../../engine/tools/tool.js';
import { partText } from '../../../engine/tokens/partTokens.js';
import {
  LONGEST_DESCRIPTION,
  type ManagedSections,
  type ServerRow,
  type ToolRow,
  type ToolSection,
} from '../../../protocol/panel/manager.js';
import { countedAs } from '../../../protocol/numbers.js';
import type { ServerState } from '../../tools/serverStates.js';
import { toolDefinition } from '../../tools/offeredTools.js';
import { countedOnce } from '../../context/itemTokens.js';
import { type LastCalls, lastCalls } from '../../../engine/next/lastCalls.js';
import { toolsSentence } from '../../request/sizeTexts.js';
import { notSelectedText } from '../../request/excluded/notSelectedItems.js';
import { isMatch, type MeasuredContext, mostRows, searchedIn, shownOff } from './managed.js';
import { type ToolRecord, isHeld, isInChat, toolsByServer } from '../../../engine/record/toolRecords.js';

/** Groups the tools of a chat and the tools that the user could add by server. Configured servers come first. */
export function toolSection(managed: MeasuredContext, sections: ManagedSections): ToolSection {
  const { composed, servers: configured, tokens, state } = managed;
  const { records, context, model, adaptations } = composed;
  const byServer = toolsByServer(records);
  const tools = [...byServer.values()].flat();
  const known = new Set(configured.servers.map(({ name }) => name));
  const gone = [...byServer.keys()].filter((name) => !known.has(name)).map(goneServer);
  // In Restricted Mode, no server is listed.
  const isOpen = !context.isRestricted && (searchedIn(sections) !== '' || sections.open.includes('tool'));
  const servers = isOpen ? [...configured.servers, ...gone] : [];
  const [notOffered = null] = toolsSentence(adaptations, model.label);
  return {
    held: tools.filter((record) => isOffered(record, composed, tokens)).length,
    total: tools.length,
    tokens: heldTokens(tools, tokens),
    replies: lastCalls(state).replies,
    notOffered,
    loadsTools: model.capabilities.toolsOnDemand,
    mistakes: configured.mistakes,
    lacksOwn: configured.lacksOwn,
    servers: servers.flatMap((server) => serverRow(server, byServer.get(server.name) ?? [], managed, sections)),
  };
}

type ListedServer = Omit<ServerState, 'status'> & Pick<ServerRow, 'status'>;

/** Returns a server that is no longer configured, but still has a tool in the chat. */
function goneServer(name: string): ListedServer {
  return { name, status: 'gone', problem: null, tools: [], hasLog: false, signIn: 'none', include: 'manual', offBy: null };
}

/** Returns the row of a server. Empty if neither the server nor its tools match the search. */
function serverRow(
  server: ListedServer,
  records: readonly ToolRecord[],
  managed: MeasuredContext,
  sections: ManagedSections,
): readonly ServerRow[] {
  const { name, status, problem, hasLog, signIn, include } = server;
  const off = server.offBy ?? commonOff(records);
  const { composed, request, tokens, counter, state } = managed;
  const { catalog } = composed.context;
  const searched = searchedIn(sections);
  const matching = inOrder(server.tools, records).filter(({ item }) =>
    isMatch([item.name, catalog.get(itemKey(item))?.description ?? ''], searched),
  );
  if (matching.length === 0 && !isMatch([name], searched)) {
    return [];
  }
  const isOpen = searched === '' ? sections.servers.includes(name) : matching.length > 0;
  const shown = isOpen ? matching.slice(0, mostRows(serverKey(name), sections)) : [];
  const held = records.filter(isHeld);
  const definitions = new Map(server.tools.map((tool) => [tool.name, tool]));
  return [
    {
      ...{ name, status, problem, hasLog, signIn, includeMode: include, off, key: serverKey(name) },
      state: serverState(records),
      held: held.filter((record) => isOffered(record, composed, tokens)).length,
      total: records.length,
      tokens: records.length === 0 ? null : held.length > 0 ? heldTokens(held, tokens) : ownTokens(records, definitions, counter),
      isUnused: request.unusedServers.some((unused) => unused.name === name),
      lastCall: latestCall(records, lastCalls(state)),
      tools: isOpen
        ? shown.map((record) => ({
            ...toolRow(record, definitions.get(record.item.name) ?? null, managed),
            ...(off === offOf(record) ? { off: null } : {}),
          }))
        : null,
      more: isOpen ? matching.length - shown.length : 0,
    },
  ];
}

/** Sorts tools in the server's order, so that a row keeps its place. Tools missing in the server's list come last. */
function inOrder(tools: readonly Tool[], records: readonly ToolRecord[]): readonly ToolRecord[] {
  const places = new Map(tools.map(({ name }, at) => [name, at]));
  const placeOf = ({ item }: ToolRecord): number => places.get(item.name) ?? tools.length;
  return records.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Whether the request has the tool. The provider may not accept a tool of the request context. */
function isOffered(record: ToolRecord, composed: MeasuredContext['composed'], tokens: MeasuredContext['tokens']): boolean {
  return isHeld(record) && (tokens.has(itemKey(record.item)) || notAcceptedText(record, composed) === null);
}

/** Returns why the provider does not accept a tool. Null for a tool that is omitted for another reason. */
function notAcceptedText({ item }: ToolRecord, { adaptations, model: { label } }: MeasuredContext['composed']): string | null {
  const { toolsRefused, toolsRefusedEarlier, toolsAboveLimit } = adaptations;
  if (toolsRefusedEarlier?.includes(offeredName(item)) === true) {
    return `Not offered: ${label} refused a request with it. Loupe tries again an hour later.`;
  }
  const refused = toolsRefused?.find(({ name }) => name === offeredName(item));
  if (refused !== undefined) {
    return refused.argument === null
      ? `Not offered: ${label} does not accept its input schema.`
      : `Not offered: ${label} does not accept the name of its argument "${refused.argument}".`;
  }
  return toolsAboveLimit === undefined
    ? null
    : `Not offered: ${label} accepts at most ${countedAs(toolsAboveLimit.most, 'tool', 'tools')}.`;
}

function latestCall(records: readonly ToolRecord[], { ago }: LastCalls): number | null {
  const latest = Math.min(...records.map(({ item }) => ago.get(offeredName(item)) ?? Infinity));
  return latest === Infinity ? null : latest;
}

function isOff({ leftOut }: ContextRecord): boolean {
  return leftOut?.code === 'disabled';
}

function offOf({ item, leftOut }: ToolRecord): OffScope | null {
  return leftOut === null ? null : shownOff(leftOut, item.includeMode);
}

/** Returns where all tools are off. Null if they are off in different places, or one is on. */
function commonOff(records: readonly ToolRecord[]): OffScope | null {
  const [first = null, ...others] = new Set(records.map(offOf));
  return others.length === 0 ? first : null;
}

function serverState(records: readonly ToolRecord[]): ServerRow['state'] {
  const possible = records.filter((record) => !isOff(record));
  const held = possible.filter(isInChat).length;
  return possible.length === 0 ? 'off' : held === 0 ? 'out' : held === possible.length ? 'in' : 'some';
}

function heldTokens(records: readonly ToolRecord[], tokens: MeasuredContext['tokens']): number {
  return records.filter(isHeld).reduce((sum, { item }) => sum + (tokens.get(itemKey(item)) ?? 0), 0);
}

function toolRow(record: ToolRecord, tool: Tool | null, { composed, tokens, counter, state }: MeasuredContext): ToolRow {
  const { item } = record;
  const key = itemKey(item);
  const known = composed.context.catalog.get(key) ?? null;
  return {
    key,
    name: item.name,
    state: toolState(record),
    off: offOf(record),
    includeMode: known === null ? item.includeMode : known.offBy === null ? known.include : 'off',
    score: item.similarityScore ?? null,
    tokens: tokens.get(key) ?? (tool === null ? null : toolTokens(item, tool, counter)),
    note: noteOf(record, known) ?? (isOffered(record, composed, tokens) ? null : notAcceptedText(record, composed)),
    description: (known?.description ?? '').slice(0, LONGEST_DESCRIPTION),
    lastCall: lastCalls(state).ago.get(offeredName(item)) ?? null,
  };
}

function toolState(record: ToolRecord): ToolRow['state'] {
  if (isOff(record)) {
    return 'off';
  }
  return !isInChat(record) ? 'out' : record.item.includeMode === 'agent' ? 'picked' : 'in';
}

/** Returns why a tool is not in the request, unless the checkbox, mode, score or server shows the reason. */
function noteOf({ item, leftOut }: ToolRecord, known: CatalogItem | null): string | null {
  if (leftOut === null) {
    return null;
  }
  const isPlain = known !== null && ['notAdded', 'belowScore', 'disabled', 'removed', 'serverFailed', 'noTools'].includes(leftOut.code);
  return isPlain ? null : notSelectedText(item, leftOut);
}

function ownTokens(records: readonly ToolRecord[], definitions: ReadonlyMap<string, Tool>, counter: TokenCounter): number {
  return records.reduce((sum, { item }) => {
    const tool = definitions.get(item.name);
    return sum + (tool === undefined ? 0 : toolTokens(item, tool, counter));
  }, 0);
}

/** Returns the tokens that the definition of a tool takes in a request. */
function toolTokens(item: ToolRecord['item'], tool: Tool, counter: TokenCounter): number {
  return countedOnce(tool, counter, () => counter.count(partText(toolDefinition(item, tool))));
}
