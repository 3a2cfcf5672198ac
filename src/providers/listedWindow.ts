import { member, tokenLimit } from './json.js';

/** Names of the context window: OpenRouter and Together, vLLM, LM Studio and Mistral, Groq. It includes the output. */
const WINDOW_NAMES = ['context_length', 'max_model_len', 'max_context_length', 'context_window'] as const;

/**
 * Returns the context window of an entry in a list of models, or null. Servers use one list for all their protocols.
 * llama.cpp reports its window in `meta.n_ctx` (`n_ctx_train` is the model's own limit):
 * https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-context.cpp
 */
export function listedWindow(entry: unknown): number | null {
  const windows = [...WINDOW_NAMES.map((name) => member(entry, name)), member(member(entry, 'meta'), 'n_ctx')];
  return windows.map(tokenLimit).find((tokens) => tokens !== null) ?? null;
}
