import type { ListedModel } from '../endpoint.js';
import { itemsOf, member, tokenLimit, wordsMember } from '../json.js';
import { listedWindow } from '../listedWindow.js';
import { otherUse } from '../otherUse.js';

/*
 * The protocol's list of models holds only ids. Many servers add limits, under different names.
 */

/** Name of the output limit in tokens: Groq, and OpenRouter inside `top_provider`. */
const OUTPUT_NAME = 'max_completion_tokens';

/** The models in an answer to `GET /models`; null when it is no such list. Leaves out entries without an id. */
export function listedModels(answer: unknown): ListedModel[] | null {
  // Together sends a bare list.
  const entries = Array.isArray(answer) ? answer : member(answer, 'data');
  if (!Array.isArray(entries)) {
    return null;
  }
  return itemsOf(entries).flatMap((entry) => {
    const id = wordsMember(entry, 'id');
    const label = wordsMember(entry, 'name') ?? wordsMember(entry, 'display_name');
    return id === null ? [] : [{ id, label, ...limits(entry), otherUse: otherUse(id, entry) }];
  });
}

function limits(entry: unknown): Pick<ListedModel, 'maxInputTokens' | 'maxOutputTokens'> {
  return {
    maxInputTokens: listedWindow(entry),
    maxOutputTokens: tokenLimit(member(entry, OUTPUT_NAME)) ?? tokenLimit(member(member(entry, 'top_provider'), OUTPUT_NAME)),
  };
}
