import type { ListedModel } from '../endpoint.js';
import { itemsOf, member, tokenLimit, wordsMember } from '../json.js';

/*
 * The protocol's list of models tells nothing but ids; many servers add limits, each under names of its own.
 */

/**
 * Tokens that a model takes: OpenRouter and Together, vLLM, LM Studio and Mistral, Groq. They tell the whole window,
 * in which input and output share.
 */
const WINDOW_NAMES = ['context_length', 'max_model_len', 'max_context_length', 'context_window'] as const;

/** Tokens that a model gives: Groq, and OpenRouter inside `top_provider`. */
const OUTPUT_NAME = 'max_completion_tokens';

/** The models of an answer to `GET /models`; null when it is no such list. Entries without an id are left out. */
export function listedModels(answer: unknown): ListedModel[] | null {
  // Together sends the bare list.
  const entries = Array.isArray(answer) ? answer : member(answer, 'data');
  if (!Array.isArray(entries)) {
    return null;
  }
  return itemsOf(entries).flatMap((entry) => {
    const id = wordsMember(entry, 'id');
    const label = wordsMember(entry, 'name') ?? wordsMember(entry, 'display_name');
    return id === null ? [] : [{ id, label, ...limits(entry) }];
  });
}

function limits(entry: unknown): Pick<ListedModel, 'maxInputTokens' | 'maxOutputTokens'> {
  const windows = WINDOW_NAMES.map((name) => tokenLimit(member(entry, name)));
  return {
    maxInputTokens: windows.find((tokens) => tokens !== null) ?? null,
    maxOutputTokens: tokenLimit(member(entry, OUTPUT_NAME)) ?? tokenLimit(member(member(entry, 'top_provider'), OUTPUT_NAME)),
  };
}
