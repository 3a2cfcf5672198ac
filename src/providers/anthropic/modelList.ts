import { failure } from '../../engine/errors.js';
import type { ListedModel } from '../endpoint.js';
import { countMember, isList, member, textMember } from './fields.js';

export interface ModelPage {
  readonly models: readonly ListedModel[];
  /** The id that the next page comes after; null on the last page. */
  readonly next: string | null;
}

/** A page of `GET /v1/models`; throws `protocol` when it is none. Limits that are 0 or nonsense are unknown. */
export function modelPage(body: unknown, label: string): ModelPage {
  const data = member(body, 'data');
  if (!isList(data)) {
    throw failure('provider.notModelList', { label });
  }
  const models = data.flatMap(listedModel);
  return { models, next: member(body, 'has_more') === true ? textMember(body, 'last_id') : null };
}

/** An entry without an id is no model that could be used. */
function listedModel(entry: unknown): ListedModel[] {
  const id = textMember(entry, 'id');
  if (id === null || id === '') {
    return [];
  }
  const label = textMember(entry, 'display_name');
  const [maxInputTokens, maxOutputTokens] = [limit(entry, 'max_input_tokens'), limit(entry, 'max_tokens')];
  return [{ id, label: label === '' ? null : label, maxInputTokens, maxOutputTokens }];
}

function limit(entry: unknown, name: string): number | null {
  const tokens = countMember(entry, name);
  return tokens === 0 ? null : tokens;
}
