import type { LoupeError } from '../../../engine/errors.js';
import { exclusionPrices } from '../../../engine/next/exclusionPrices.js';
import { itemChanges } from '../../../engine/next/itemChanges.js';
import type { ContextChip, ToolTotal } from '../../../protocol/panel/composer.js';
import type { NextRequestRows } from '../../../protocol/panel/requestRows.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import type { NextRequestView } from '../../../protocol/panel/nextRequest.js';
import type { ShownNext } from '../../chat/shownNext.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { sizesOfBlocks, type SizeOfBlocks } from '../../../engine/next/blockSizes.js';
import type { ObservedCaches } from '../../request/forecast/observationView.js';
import { serverStates, type ShownServers, unknownServers } from '../../tools/serverStates.js';
import { contextChips } from '../composer/contextChips.js';
import type { ManagedContext } from '../manager/managed.js';
import { excludedTurns, forgottenCalls, repeatedResults, repeatsByEntry } from './omittedContent.js';
import { withNewTools } from '../../../engine/next/withNewTools.js';
import { lastCalls } from '../../../engine/next/lastCalls.js';
import { nextRequestView } from './nextRequestView.js';
import { nextRequestRows } from './contextUsed.js';
import { unusualPriceView } from './unusualPrice.js';
import { failedServers, requestServers } from './requestServers.js';
import type { ModelRegistry } from '../../models/registry.js';
import { titleCost } from '../../chat/title/titleCost.js';
import { neededAgainView, summaryForecast } from './summaryViews.js';
import type { LostFactsView } from '../../../protocol/panel/compaction.js';

export interface Preview {
  readonly request: NextRequestView | null;
  /** The rows of the request; null without a request. */
  readonly rows: NextRequestRows | null;
  readonly chips: readonly ContextChip[];
  /** The parts of the editor state in the request. */
  readonly workspace: ShownNext['composed']['workspace'];
  /** Measures blocks of the request. Null for a block that the request does not contain. */
  readonly sizeOf: SizeOfBlocks;
  /** How excluding an entry changes the price, by entry id. */
  readonly exclusionPrices: PanelState['exclusionPrices'];
  /** The tool results that the request sends as references, by entry id and call id. */
  readonly repeats: PanelState['repeats'];
  readonly failedServers: PanelState['failedServers'];
  /** How many tools the request offers, and how many it does not offer because the model accepts no tools. */
  readonly tools: ToolTotal;
  /** Facts that the active summary lost and that were needed again, or null. */
  readonly neededAgain: LostFactsView | null;
  /** The data of the context pane; null without a request. */
  readonly managed: Omit<ManagedContext, 'state'> | null;
  /** Why the request could not be composed; null when it was composed, or before the first attempt. */
  readonly error: LoupeError | null;
}

export interface PreviewPorts {
  readonly models: Pick<ModelRegistry, 'listed'>;
  readonly observed: Pick<ObservedCaches, 'of'>;
  readonly shownServers: ShownServers;
}

export const NO_PREVIEW: Preview = {
  request: null,
  rows: null,
  chips: [],
  workspace: [],
  sizeOf: () => null,
  exclusionPrices: {},
  repeats: {},
  tools: { tools: 0, toolsNotOffered: 0 },
  failedServers: [],
  neededAgain: null,
  managed: null,
  error: null,
};

export function previewOf(shown: ShownNext, session: ChatSession, ports: PreviewPorts): Preview {
  const { figures, includes, counter } = shown;
  const { state } = session;
  const servers = serverStates(ports.shownServers, { config: state.config, includes });
  const unknown = shown.composed.offersTools ? unknownServers(servers) : [];
  const composed = unknown.length === 0 ? shown.composed : withNewTools(shown.composed);
  const { context, records, model, adaptations, offersTools } = composed;
  const rows = {
    ...nextRequestRows(composed),
    changes: Object.fromEntries(itemChanges(composed, state)),
    excludedTurns: excludedTurns(composed, state),
    forgotten: forgottenCalls(composed.forgotten, state),
    repeats: repeatedResults(composed, state),
    servers: requestServers(records, lastCalls(state)),
  };
  const request = nextRequestView(composed, rows.blocks, state);
  const chips = contextChips(composed, state);
  return {
    request: {
      ...request,
      // The notice about the servers has the reason.
      uncached: composed === shown.composed ? request.uncached : null,
      newToolsCost: costOfNewTools(shown.composed, composed),
      unusual: unusualPriceView(composed, request, session),
      titleCost: titleCost(shown.draft, state, ports.models),
      unknownServers: unknown,
      summary: summaryForecast(figures, session),
      observation: ports.observed.of(model.ref),
    },
    failedServers: offersTools ? failedServers(servers, records) : [],
    rows,
    neededAgain: neededAgainView(figures, composed),
    chips,
    workspace: composed.workspace,
    sizeOf: sizesOfBlocks(composed),
    exclusionPrices: exclusionPrices(composed, state),
    repeats: repeatsByEntry(composed, state),
    tools: toolTotal(context.tools.length, adaptations),
    managed: { composed, rows, chips, counter, servers, request },
    error: null,
  };
}

/** Returns how many US dollars more the request costs because new tools end the cache. Null if they do not. */
function costOfNewTools({ forecast: before }: ShownNext['composed'], { forecast }: ShownNext['composed']): number | null {
  const [less, more] = [before?.costNow ?? null, forecast?.costNow ?? null];
  return before === forecast || less === null || more === null ? null : more - less;
}

/** Returns how many of the chat's tools the request has. A model without tools has none in `tools` already. */
function toolTotal(
  tools: number,
  { toolsLeftOut, toolsRefused, toolsRefusedEarlier, toolsAboveLimit }: ShownNext['composed']['adaptations'],
): ToolTotal {
  const notAccepted = (toolsRefused?.length ?? 0) + (toolsRefusedEarlier?.length ?? 0) + (toolsAboveLimit?.tools ?? 0);
  return { tools: tools - notAccepted, toolsNotOffered: (toolsLeftOut ?? 0) + notAccepted };
}
