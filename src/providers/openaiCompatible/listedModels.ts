import type { ListedModel } from '../endpoint.js';
import { member, textMember, tokenCount } from './members.js';

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
  return entries.flatMap((entry: unknown) => {
    const id = textMember(entry, 'id');
    return id === '' ? [] : [{ id, label: label(entry), ...limits(entry) }];
  });
}

function label(entry: unknown): string | null {
  const name = textMember(entry, 'name') === '' ? textMember(entry, 'display_name') : textMember(entry, 'name');
  return name === '' ? null : name;
}

function limits(entry: unknown): Pick<ListedModel, 'maxInputTokens' | 'maxOutputTokens'> {
  const windows = WINDOW_NAMES.map((name) => limit(member(entry, name)));
  return {
    maxInputTokens: windows.find((tokens) => tokens !== null) ?? null,
    maxOutputTokens: limit(member(entry, OUTPUT_NAME)) ?? limit(member(member(entry, 'top_provider'), OUTPUT_NAME)),
  };
}

/** A limit of 0 is how some servers say that they do not know. */
function limit(value: unknown): number | null {
  const tokens = tokenCount(value);
  return tokens === 0 ? null : tokens;
}
