import { stateBefore } from '../../../engine/chat/branch.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { modelOrOwn } from '../../../engine/model/modelRef.js';
import { expectedTitlePrice } from '../../../engine/run/titleRun.js';
import type { ModelRegistry } from '../../models/registry.js';
import type { DraftToPreview } from '../drafts.js';
import { getsTitle } from './titler.js';

/** Returns about how many US dollars the title after the first reply will cost. Null without a title or its price. */
export function titleCost(
  { editing, text }: Pick<DraftToPreview, 'editing' | 'text'>,
  state: ChatState,
  models: Pick<ModelRegistry, 'listed'>,
): number | null {
  const { config } = state;
  const prices = models.listed(modelOrOwn(config.titleModel, config.model))?.prices ?? null;
  return prices === null || !getsTitle(editing === null ? state : stateBefore(state, editing), 0) ? null : expectedTitlePrice(text, prices);
}
