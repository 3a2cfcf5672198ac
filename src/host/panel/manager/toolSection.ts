import { serverKey } from '../../../engine/context/agentProfile.js';
import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import { itemKey } from '../../../engine/record/item.js';
import type { TokenCounter } from '../../../engine/ports.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import type { Tool } from '../../../engine/tools/tool.js';
import { partTokens } from '../../../engine/tokens/partTokens.js';
import {
  LONGEST_DESCRIPTION,
  MOST_MANAGED,
  type ManagedSections,
  type ServerRow,
  type ToolRow,
  type ToolSection,
} from '../../../protocol/panel/manager.js';
import type { ServerState, ServersState } from '../../tools/serverStates.js';
import { toolDefinition } from '../../tools/offeredTools.js';
import type { LastCalls } from '../nextRequest/lastCalls.js';
import { notSelectedText } from '../../request/excluded/notSelectedText.js';
import { type ToolRecord, isHeld, isInChat, toolsByServer } from '../nextRequest/toolRecords.js';

export interface ManagedTools extends Pick<ToolSection, 'notOffered'> {
  readonly records: readonly ContextRecord[];
  readonly catalog: Catalog;
  /** Whether the workspace is untrusted. No server is listed then. */
  readonly isRestricted: boolean;
  /** Whether the model of the chat can load tools on demand. */
  readonly loadsTools: boolean;
  readonly state: ServersState;
  readonly lastCalls: LastCalls;
  /** The names of servers without a tool call for a long time. */
  readonly unused: readonly string[];
  /** Tokens in the request by item key. */
  readonly tokens: ReadonlyMap<string, number>;
  readonly counter: TokenCounter;
}

/** Groups the tools of a chat and the tools that the user could add by server. Configured servers come first. */
export function toolSection(managed: ManagedTools, sections: ManagedSections): ToolSection {
  const { records, state, lastCalls } = managed;
  const byServer = toolsByServer(records);
  const tools = [...byServer.values()].flat();
  const known = new Set(state.servers.map(({ name }) => name));
  const gone = [...byServer.keys()].filter((name) => !known.has(name)).map(goneServer);
  const isOpen = !managed.isRestricted && (isSearching(sections) || sections.open.includes('tool'));
  return {
    held: tools.filter(isHeld).length,
    total: tools.length,
    tokens: heldTokens(tools, managed),
    replies: lastCalls.replies,
    notOffered: managed.notOffered,
    loadsTools: managed.loadsTools,
    mistakes: state.mistakes,
    lacksOwn: state.lacksOwn,
    servers: isOpen
      ? [...state.servers, ...gone].flatMap((server) => serverRow(server, byServer.get(server.name) ?? [], managed, sections))
      : [],
  };
}

type ListedServer = Omit<ServerState, 'status'> & Pick<ServerRow, 'status'>;

/** Returns a server that is no longer configured, but still has a tool in the chat. */
function goneServer(name: string): ListedServer {
  return { name, status: 'gone', problem: null, tools: [], hasLog: false, include: 'manual' };
}

/** Returns the row of a server. Empty if neither the server nor its tools match the search. */
function serverRow(
  server: ListedServer,
  records: readonly ToolRecord[],
  managed: ManagedTools,
  sections: ManagedSections,
): readonly ServerRow[] {
  const { name, status, problem, hasLog, include } = server;
  const wanted = sections.search.trim().toLowerCase();
  const matching = inOrder(server.tools, records).filter(({ item }) => matches(item, managed.catalog, wanted));
  const isNamed = name.toLowerCase().includes(wanted);
  if (isSearching(sections) && matching.length === 0 && !isNamed) {
    return [];
  }
  const isOpen = isSearching(sections) ? matching.length > 0 : sections.servers.includes(name);
  const shown = isOpen ? matching.slice(0, MOST_MANAGED) : [];
  const held = records.filter(isHeld);
  const definitions = new Map(server.tools.map((tool) => [tool.name, tool]));
  return [
    {
      ...{ name, status, problem, hasLog, includeMode: include, key: serverKey(name) },
      state: serverState(records),
      held: held.length,
      total: records.length,
      tokens: records.length === 0 ? null : held.length > 0 ? heldTokens(held, managed) : ownTokens(records, definitions, managed.counter),
      isUnused: managed.unused.includes(name),
      lastCall: latestCall(records, managed.lastCalls),
      tools: isOpen ? shown.map((record) => toolRow(record, definitions.get(record.item.name) ?? null, managed)) : null,
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

function latestCall(records: readonly ToolRecord[], { ago }: LastCalls): number | null {
  const latest = Math.min(...records.map(({ item }) => ago.get(offeredName(item)) ?? Infinity));
  return latest === Infinity ? null : latest;
}

function isSearching({ search }: ManagedSections): boolean {
  return search.trim() !== '';
}

function matches(item: ToolRecord['item'], catalog: Catalog, wanted: string): boolean {
  return [item.name, catalog.get(itemKey(item))?.description ?? ''].some((text) => text.toLowerCase().includes(wanted));
}

function isOff({ leftOut }: ContextRecord): boolean {
  return leftOut?.code === 'disabled';
}

function serverState(records: readonly ToolRecord[]): ServerRow['state'] {
  const possible = records.filter((record) => !isOff(record));
  const held = possible.filter(isInChat).length;
  return possible.length === 0 ? 'off' : held === 0 ? 'out' : held === possible.length ? 'in' : 'some';
}

function heldTokens(records: readonly ToolRecord[], { tokens }: Pick<ManagedTools, 'tokens'>): number {
  return records.filter(isHeld).reduce((sum, { item }) => sum + (tokens.get(itemKey(item)) ?? 0), 0);
}

function toolRow(record: ToolRecord, tool: Tool | null, { catalog, tokens, counter, lastCalls }: ManagedTools): ToolRow {
  const { item } = record;
  const key = itemKey(item);
  const known = catalog.get(key) ?? null;
  return {
    key,
    name: item.name,
    state: toolState(record),
    includeMode: known === null ? item.includeMode : known.isEnabled ? known.include : 'off',
    score: item.similarityScore ?? null,
    tokens: tokens.get(key) ?? (tool === null ? null : toolTokens(item, tool, counter)),
    note: noteOf(record, known),
    description: (known?.description ?? '').slice(0, LONGEST_DESCRIPTION),
    lastCall: lastCalls.ago.get(offeredName(item)) ?? null,
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
  const isPlain = known !== null && ['notAdded', 'belowScore', 'disabled', 'serverFailed', 'noTools'].includes(leftOut.code);
  return isPlain ? null : notSelectedText(item, leftOut);
}

function ownTokens(records: readonly ToolRecord[], definitions: ReadonlyMap<string, Tool>, counter: TokenCounter): number {
  return records.reduce((sum, { item }) => {
    const tool = definitions.get(item.name);
    return sum + (tool === undefined ? 0 : toolTokens(item, tool, counter));
  }, 0);
}

/** Cached token counts. A tool that its server changes becomes a new object. */
const counts = new WeakMap<Tool, { readonly counter: string; readonly tokens: number }>();

/** Returns the tokens that the definition of a tool takes in a request. */
function toolTokens(item: ToolRecord['item'], tool: Tool, counter: TokenCounter): number {
  const known = counts.get(tool);
  if (known?.counter === counter.id) {
    return known.tokens;
  }
  const tokens = partTokens(toolDefinition(item, tool), counter);
  counts.set(tool, { counter: counter.id, tokens });
  return tokens;
}
