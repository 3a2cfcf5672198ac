import type { Clock } from '../../engine/ports.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ContextChip, ToolTotal } from '../../protocol/chips.js';
import type { NeededAgainView } from '../../protocol/compaction.js';
import type { NextRequestRows } from '../../protocol/requestRows.js';
import type { NextRequestView, PanelState } from '../../protocol/view.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { DraftToPreview } from '../chat/drafts.js';
import type { ModelRegistry } from '../models/registry.js';
import { leavingOutPrices } from '../request/leavingOut.js';
import type { ObservedCaches } from '../request/observedCaches.js';
import { costOfReply } from '../request/requestCost.js';
import { serverStates, type ServersState, type ShownServers } from '../tools/serverStates.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import { failedServers, unknownServers } from './failedServers.js';
import { lastCalls } from './lastCalls.js';
import { lastUses } from './lastUses.js';
import { forgottenCalls } from './forgottenCalls.js';
import { leftOutTurnViews } from './leftOutTurns.js';
import type { ManagedContext } from './managerView.js';
import { contextChips, nextRequestRows, nextRequestView } from './nextRequestView.js';
import { requestServers } from './requestServers.js';
import { neededAgainView, summaryForecast } from './summaryFigures.js';

/** Pause after the last change before the next request is composed, in ms, so that not every key recomputes it. */
const PREVIEW_DELAY_MS = 100;

/** After what the cache has is gone: then the request is likely to be laid out anew, and surely has another price. */
const AFTER_EXPIRY_MS = 1_000;

export interface Preview {
  readonly request: NextRequestView | null;
  /** The rows of the request; null without a request. */
  readonly rows: NextRequestRows | null;
  readonly chips: readonly ContextChip[];
  /** What leaving out would do to it, by the ids of entries. */
  readonly leavingOut: PanelState['leavingOut'];
  /** How many tools the request offers, and how many it does not, because the model takes none. */
  readonly tools: ToolTotal;
  /** What was needed again of what the summary in use lost; null when nothing was. */
  readonly neededAgain: NeededAgainView | null;
  /** What the pane with the context of the chat shows of it; null without a request. */
  readonly managed: ManagedContext | null;
  /** Why there is no request; null when there is one, or before the first is composed. */
  readonly error: LoupeError | null;
}

export interface PreviewPorts {
  readonly models: Pick<ModelRegistry, 'counter'>;
  readonly catalog: Pick<CatalogSource, 'includesOf'>;
  readonly observed: Pick<ObservedCaches, 'of'>;
  readonly shownServers: ShownServers;
  readonly clock: Clock;
}

export const NO_PREVIEW: Preview = {
  request: null,
  rows: null,
  chips: [],
  leavingOut: {},
  tools: { tools: 0, toolsNotOffered: 0 },
  neededAgain: null,
  managed: null,
  error: null,
};

/** Keeps the preview of the next request up to date. The latest change wins; an older result is dropped. */
export class Previews {
  readonly #changed: (chatId: string) => void;
  readonly #ports: PreviewPorts;
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  #latest: { readonly chatId: string; readonly preview: Preview } | null = null;

  constructor(ports: PreviewPorts, changed: (chatId: string) => void) {
    this.#ports = ports;
    this.#changed = changed;
  }

  /** The newest preview of a chat; empty before the first one. */
  of(chatId: string): Preview {
    return this.#latest?.chatId === chatId ? this.#latest.preview : NO_PREVIEW;
  }

  schedule(session: ChatSession, draft: () => DraftToPreview): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      void this.#compute(session, draft);
    }, PREVIEW_DELAY_MS);
  }

  cancel(): void {
    this.#turn += 1;
    clearTimeout(this.#timer);
  }

  async #compute(session: ChatSession, draft: () => DraftToPreview): Promise<void> {
    const turn = this.#turn;
    const preview = await this.#compose(session, draft());
    if (turn !== this.#turn) {
      return;
    }
    this.#latest = { chatId: session.id, preview };
    this.#changed(session.id);
    const expiresAt = preview.request?.forecast?.expiresAt ?? null;
    if (expiresAt !== null) {
      const wait = Math.max(0, expiresAt - this.#ports.clock.now()) + AFTER_EXPIRY_MS;
      this.#timer = setTimeout(() => void this.#compute(session, draft), wait).unref();
    }
  }

  /** As the chat has them. */
  async #servers({ state: { config } }: ChatSession): Promise<ServersState> {
    const { shownServers, catalog } = this.#ports;
    return serverStates(shownServers, { config, includes: await catalog.includesOf(config.agent) });
  }

  async #compose(session: ChatSession, draft: DraftToPreview): Promise<Preview> {
    try {
      const composed = await session.previewDraft(draft);
      const servers = await this.#servers(session);
      const rows = {
        ...nextRequestRows(composed),
        leftOutTurns: leftOutTurnViews(composed, session.state),
        forgotten: forgottenCalls(composed.forgotten, session.state),
        servers: requestServers(composed.records, lastCalls(session.state)),
      };
      const { neededAgain, ...forecast } = await session.summaryFigures(composed, draft);
      const { context, records, agent, model, adaptations, offersTools } = composed;
      const request = nextRequestView(composed, rows.blocks, session.state);
      const chips = contextChips(composed, session.state);
      const counter = await this.#ports.models.counter(model.capabilities.counter);
      return {
        request: {
          ...request,
          warnings: [
            ...request.warnings,
            ...(offersTools ? failedServers(servers, records) : []),
            ...session.spending.warnings(costOfReply(composed, session.state)),
          ],
          unknownServers: offersTools ? unknownServers(servers) : [],
          summary: summaryForecast(forecast, session),
          observation: this.#ports.observed.of(model.ref),
        },
        rows,
        neededAgain: neededAgain === null ? null : neededAgainView(neededAgain, composed),
        chips,
        leavingOut: leavingOutPrices(composed, session.state),
        tools: { tools: context.tools.length, toolsNotOffered: adaptations.toolsLeftOut ?? 0 },
        managed: {
          context,
          model,
          adaptations,
          records,
          agent,
          blocks: rows.blocks,
          chips,
          unused: request.unused.keys,
          counter,
          lastUses: () => lastUses(session.state),
          lastCalls: () => lastCalls(session.state),
          servers,
          unusedServers: request.unusedServers.map(({ name }) => name),
        },
        error: null,
      };
    } catch (thrown) {
      return { ...this.of(session.id), request: null, rows: null, managed: null, error: toLoupeError(thrown) };
    }
  }
}
