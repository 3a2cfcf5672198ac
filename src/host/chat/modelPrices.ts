import { toLoupeError } from '../../engine/errors.js';
import type { Model } from '../../engine/model/model.js';
import { modelKey } from '../../engine/model/modelRef.js';
import { type ComposedRequest, shownTokens } from '../../engine/next/compose.js';
import { expectedPrice } from '../../protocol/requestPrice.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { ModelPrices, RequestInModel } from '../models/providers/modelMenu.js';
import { requestPrice } from '../request/forecast/requestPrice.js';
import { withNewTools } from '../../engine/next/withNewTools.js';
import { serverStates, type ShownServers, unknownServers } from '../tools/serverStates.js';
import type { ChatSession } from './chatSession.js';

export interface ModelPricesPorts {
  readonly catalog: Pick<CatalogSource, 'includesOf'>;
  readonly toolbox: ShownServers;
}

/**
 * Returns the next request in the chat's model and, if that model reads something from its cache, in the other models.
 * Other models need no price otherwise, because a change then loses nothing. Ends early after an abort of `signal`.
 */
export async function modelPrices(
  session: ChatSession,
  models: readonly Model[],
  { catalog, toolbox }: ModelPricesPorts,
  signal: AbortSignal,
): Promise<ModelPrices> {
  const { state } = session;
  const includes = await catalog.includesOf(state.config.agent);
  const unknown = unknownServers(serverStates(toolbox, { config: state.config, includes }));
  const inModel = async ({ ref }: Pick<Model, 'ref'>): Promise<RequestInModel | null> => {
    const composed = await session.next.withModel(ref).catch(nullIfGone);
    return composed === null || composed.isPartial ? null : requestInModel(composed, session, composed.offersTools ? unknown : []);
  };
  const here = await inModel({ ref: state.config.model });
  const prices = new Map<string, RequestInModel>(here === null ? [] : [[modelKey(state.config.model), here]]);
  for (const model of here === null || here.read === 0 ? [] : models) {
    const found = signal.aborted || prices.has(modelKey(model.ref)) ? null : await inModel(model);
    if (found !== null) {
      prices.set(modelKey(model.ref), found);
    }
  }
  return prices;
}

function requestInModel(
  composed: ComposedRequest,
  { state }: Pick<ChatSession, 'state'>,
  unknown: ReturnType<typeof unknownServers>,
): RequestInModel {
  const view = requestPrice(composed, state);
  const { inputCost } = requestPrice(unknown.length === 0 ? composed : withNewTools(composed), state);
  const price = expectedPrice({ ...view, inputCost, basis: composed.size.basis, unknownServers: unknown });
  const parts = view.forecast?.parts ?? { read: 0, written: 0, fresh: shownTokens(composed) };
  return { price, isPretended: view.isPretended, read: parts.read, written: parts.written, fresh: parts.fresh };
}

function nullIfGone(thrown: unknown): null {
  if (toLoupeError(thrown).kind !== 'modelGone') {
    throw thrown;
  }
  return null;
}
