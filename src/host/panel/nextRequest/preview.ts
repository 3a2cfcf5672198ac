import type { LoupeError } from '../../../engine/errors.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import type { Request } from '../../../engine/request/request.js';
import { findMessage } from '../../../engine/chat/branch.js';
import { listedText } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { offeredName } from '../../../engine/tools/serverName.js';
import { billedPrices, priceOfPart, ratesOf } from '../../../engine/model/price.js';
import type { FactReuse } from '../../../engine/compaction/facts/neededAgain.js';
import { isOffered } from '../../../engine/compaction/settings.js';
import type { ContextChip, ToolTotal } from '../../../protocol/panel/chips.js';
import type { LostFactsView, SummaryForecast } from '../../../protocol/panel/compaction.js';
import type { NextRequestRows, RequestServer } from '../../../protocol/panel/requestRows.js';
import type { NextRequestView } from '../../../protocol/panel/view.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import type { UnknownServer } from '../../../protocol/panel/nextRequest.js';
import { MOST_LISTED_ITEMS } from '../../../protocol/panel/contextItems.js';
import type { ExcludedTurns } from '../../../protocol/panel/exclusion.js';
import type { ShownNext } from '../../chat/chatNext.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { SummaryFigures } from '../../chat/summary/compactionStatus.js';
import { exclusionPrices } from '../../../engine/next/exclusionPrices.js';
import type { ObservedCaches } from '../../request/forecast/observedCaches.js';
import { costOfReply } from '../../request/requestCost.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';
import { notSelectedTools } from '../../request/excluded/notSelectedItems.js';
import { serverStates, type ServersState, type ShownServers, type ServerState } from '../../tools/serverStates.js';
import { lastCalls, type LastCalls } from './lastCalls.js';
import { lastUses } from './lastUses.js';
import { forgottenCalls } from './forgottenCalls.js';
import type { ManagedContext } from '../manager/managerView.js';
import { contextChips, nextRequestRows, nextRequestView } from './nextRequestView.js';
import { toolsByServer, isHeld, type ToolRecord } from './toolRecords.js';

const MOST_OF_LABEL = 120;

export interface Preview {
  readonly request: NextRequestView | null;
  /** The rows of the request; null without a request. */
  readonly rows: NextRequestRows | null;
  readonly chips: readonly ContextChip[];
  /** How excluding an entry changes the price, by entry id. */
  readonly exclusionPrices: PanelState['exclusionPrices'];
  /** How many tools the request offers, and how many it does not offer because the model accepts no tools. */
  readonly tools: ToolTotal;
  /** Facts that the active summary lost and that were needed again, or null. */
  readonly neededAgain: LostFactsView | null;
  /** The data of the context pane; null without a request. */
  readonly managed: ManagedContext | null;
  /** Why the request could not be composed; null when it was composed, or before the first attempt. */
  readonly error: LoupeError | null;
}

export interface PreviewPorts {
  readonly observed: Pick<ObservedCaches, 'of'>;
  readonly shownServers: ShownServers;
}

export const NO_PREVIEW: Preview = {
  request: null,
  rows: null,
  chips: [],
  exclusionPrices: {},
  tools: { tools: 0, toolsNotOffered: 0 },
  neededAgain: null,
  managed: null,
  error: null,
};

export function previewOf({ composed, figures, includes, counter }: ShownNext, session: ChatSession, ports: PreviewPorts): Preview {
  const { state, spending } = session;
  const { context, records, agent, model, adaptations, offersTools } = composed;
  const servers = serverStates(ports.shownServers, { config: state.config, includes });
  const rows = {
    ...nextRequestRows(composed),
    excludedTurns: excludedTurnViews(composed, state),
    forgotten: forgottenCalls(composed.forgotten, state),
    servers: requestServers(records, lastCalls(state)),
  };
  const { neededAgain, ...forecast } = figures;
  const request = nextRequestView(composed, rows.blocks, state);
  const chips = contextChips(composed, state);
  return {
    request: {
      ...request,
      warnings: [
        ...request.warnings,
        ...(offersTools ? failedServers(servers, records) : []),
        ...spending.warnings(costOfReply(composed, state)),
      ],
      unknownServers: offersTools ? unknownServers(servers) : [],
      summary: summaryForecast(forecast, session),
      observation: ports.observed.of(model.ref),
    },
    rows,
    neededAgain: neededAgain === null ? null : neededAgainView(neededAgain, composed),
    chips,
    exclusionPrices: exclusionPrices(composed, state),
    tools: { tools: context.tools.length, toolsNotOffered: adaptations.toolsLeftOut ?? 0 },
    managed: {
      ...{ context, model, adaptations, records, agent, chips, counter, servers },
      blocks: rows.blocks,
      unused: request.unused.keys,
      lastUses: () => lastUses(session.state),
      lastCalls: () => lastCalls(session.state),
      unusedServers: request.unusedServers.map(({ name }) => name),
    },
    error: null,
  };
}

/** Returns a sentence per failed server that the chat uses. The tools of such a server are not offered. */
function failedServers({ servers }: ServersState, records: readonly ContextRecord[]): readonly string[] {
  const tools = toolsByServer(records);
  return servers.flatMap((server) => {
    const { name, status, problem } = server;
    return status === 'failed' && isWanted(server, tools.get(name) ?? [])
      ? [`The server ${name} failed, so Loupe does not offer its tools. ${problem ?? ''}`.trim()]
      : [];
  });
}

/** Returns servers that the chat uses and that have never listed their tools. */
function unknownServers({ servers }: ServersState): readonly UnknownServer[] {
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

function excludedTurnViews({ excludedTurns, size }: Pick<ComposedRequest, 'excludedTurns' | 'size'>, state: ChatState): ExcludedTurns {
  return {
    total: excludedTurns.length,
    first: excludedTurns
      .slice(-MOST_LISTED_ITEMS)
      .toReversed()
      .map(({ messageId, tokens, isHeld }) => ({
        id: messageId,
        label: labelOf(messageId, state),
        tokens: scaledTokens(tokens, size),
        isHeld,
      })),
  };
}

function labelOf(messageId: string, state: ChatState): string {
  const message = findMessage(state, messageId);
  return message === null ? '' : listedText(message).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_OF_LABEL);
}

function requestServers(records: readonly ContextRecord[], { replies, ago }: LastCalls): readonly RequestServer[] {
  return [...toolsByServer(records)].flatMap(([name, tools]) => {
    const calls = tools.flatMap(({ item }) => {
      const last = ago.get(offeredName(item));
      return last === undefined ? [] : [{ name: item.name, ago: last }];
    });
    return tools.some(isHeld) ? [{ name, total: tools.length, notSelected: notSelectedTools(tools), replies, calls }] : [];
  });
}

function summaryForecast(
  { trigger: place, plan }: Pick<SummaryFigures, 'trigger' | 'plan'>,
  { state, compactor }: Pick<ChatSession, 'state' | 'compactor'>,
): SummaryForecast {
  const asked = compactor.isDeclined ? ('putOff' as const) : ('asked' as const);
  const trigger = place === null ? null : { ...place, then: isOffered(state.config) ? asked : ('summarized' as const) };
  if (plan === null || plan.case === 'none') {
    return { trigger, now: null };
  }
  const { to: upTo, messages, tokens, summaryTokens } = plan;
  return { trigger, now: { upTo, messages, tokens, summaryTokens } };
}

/** Returns the lost facts that the model needed again, with the price of uncached tokens; null without such facts. */
function neededAgainView(
  { paths, identifiers: names, tokens }: FactReuse,
  { model, size }: Pick<Request, 'model' | 'size'>,
): LostFactsView | null {
  const prices = billedPrices(model.prices);
  const part = { fresh: tokens, read: 0, written5m: 0, written1h: 0 };
  const cost = tokens === 0 || prices === null ? null : priceOfPart(part, ratesOf(prices, size.tokens));
  return paths + names === 0 ? null : { paths, names, tokens, cost };
}
