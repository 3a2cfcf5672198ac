import { failure } from '../../engine/errors.js';
import type { ListedModel } from '../endpoint.js';
import { member, textMember, tokenLimit, wordsMember } from '../json.js';
import { listedWindow } from '../listedWindow.js';
import { otherUse } from '../otherUse.js';

export interface ModelPage {
  readonly models: readonly ListedModel[];
  /** The id after which the next page begins; null on the last page. */
  readonly next: string | null;
}

/** A page of `GET /v1/models`; throws `protocol` for other answers. Limits of 0 and invalid limits are unknown. */
export function modelPage(body: unknown, label: string): ModelPage {
  const data = member(body, 'data');
  if (!Array.isArray(data)) {
    throw failure('provider.notModelList', { label });
  }
  const models = data.flatMap(listedModel);
  return { models, next: member(body, 'has_more') === true ? textMember(body, 'last_id') : null };
}

/** An entry without an id cannot be used. */
function listedModel(entry: unknown): ListedModel[] {
  const id = wordsMember(entry, 'id');
  const maxInputTokens = tokenLimit(member(entry, 'max_input_tokens')) ?? listedWindow(entry);
  const maxOutputTokens = tokenLimit(member(entry, 'max_tokens'));
  const label = wordsMember(entry, 'display_name');
  return id === null ? [] : [{ id, label, maxInputTokens, maxOutputTokens, otherUse: otherUse(id, entry) }];
}
