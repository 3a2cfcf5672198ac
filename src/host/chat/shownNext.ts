import { stateBefore } from '../../engine/chat/branch.js';
import type { ChatState } from '../../engine/chat/state.js';
import { NeededAgainReader } from '../../engine/compaction/neededAgainReader.js';
import type { ChosenIncludes } from '../../engine/context/agentProfile.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { summaryForecast } from '../../engine/next/room.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { RequestComposer } from '../request/compose/requestComposer.js';
import type { DraftToPreview } from './drafts.js';
import type { SummaryFigures } from './summary/compactionStatus.js';

/** The next request, with what views show with it. */
export interface ShownNext {
  readonly draft: DraftToPreview;
  readonly composed: ComposedRequest;
  readonly figures: SummaryFigures;
  readonly includes: ChosenIncludes;
  readonly counter: TokenCounter;
}

export interface ShownRequestsPorts {
  readonly composer: RequestComposer;
  readonly catalog: Pick<CatalogSource, 'includesOf'>;
}

/** Adds to requests of a chat what views show with them. */
export class ShownRequests {
  readonly #ports: ShownRequestsPorts;
  readonly #neededAgain: NeededAgainReader;

  constructor(ports: ShownRequestsPorts) {
    this.#ports = ports;
    this.#neededAgain = new NeededAgainReader(ports.composer);
  }

  async shown(state: ChatState, { draft, composed }: Pick<ShownNext, 'draft' | 'composed'>): Promise<ShownNext> {
    const { composer, catalog } = this.#ports;
    const includes = await catalog.includesOf(state.config.agent);
    const view = draft.editing === null ? state : stateBefore(state, draft.editing);
    const neededAgain = await this.#neededAgain.figures(state);
    const figures = { ...(await summaryForecast(view, composed, composer)), neededAgain };
    return { draft, composed, includes, figures, counter: await composer.reader.counter(state) };
  }
}
