import { member, tokenLimit } from './json.js';

/** Names of the context window (input plus output) at OpenRouter, Together, vLLM, LM Studio, Mistral and Groq. */
const WINDOW_NAMES = ['context_length', 'max_model_len', 'max_context_length', 'context_window'] as const;

/**
 * Returns the context window of an entry in a list of models, or null. llama.cpp reports the window of the server in
 * `meta.n_ctx` (`n_ctx_train` is the maximum of the model):
 * https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-context.cpp
 */
export function listedWindow(entry: unknown): number | null {
  const windows = [...WINDOW_NAMES.map((name) => member(entry, name)), member(member(entry, 'meta'), 'n_ctx')];
  return windows.map(tokenLimit).find((tokens) => tokens !== null) ?? null;
}

/*
 * Finds models that are not for chat. Servers list all their models. Some report what a model is for: Together
 * (`type`), Mistral (`capabilities.completion_chat`), OpenRouter (`architecture.output_modalities`). For other servers,
 * such as OpenAI, Groq and Gemini, the name of the model decides.
 */

/** Returns a note for a model that is not for chat. Null for a chat model and when unknown. */
export function otherUse(id: string, entry: unknown): string | null {
  return reportedUse(entry) ?? namedUse(id);
}

/** Types of Together's models that cannot chat. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set(['embedding', 'image', 'audio', 'video', 'transcribe', 'moderation', 'rerank']);

function reportedUse(entry: unknown): string | null {
  const type = member(entry, 'type');
  if (typeof type === 'string' && OTHER_TYPES.has(type)) {
    return `Not for chat: the server reports the type ${type}`;
  }
  if (member(member(entry, 'capabilities'), 'completion_chat') === false) {
    return 'Not for chat, as the server reports';
  }
  const outputs = member(member(entry, 'architecture'), 'output_modalities');
  return Array.isArray(outputs) && outputs.length > 0 && !outputs.includes('text') ? 'Not for chat: the model outputs no text' : null;
}

/** Uses of models other than chat, each with a pattern for words in a model's name. */
const NAMED_USES: readonly (readonly [use: string, name: RegExp])[] = [
  ['embeddings', /(^|[-_./:])(text-)?embed(ding|dings|der)?($|[-_./:\d])/i],
  ['ranking', /(^|[-_./:])rerank(er)?($|[-_./:\d])/i],
  ['speech', /(^|[-_./:])(distil-)?(whisper|tts|transcribe)($|[-_./:\d])/i],
  ['live speech', /(^|[-_./:])realtime($|[-_./:\d])/i],
  ['images', /(^|[-_./:])(dall-e|gpt-image|chatgpt-image|imagen)($|[-_./:\d])/i],
  ['video', /(^|[-_./:])(sora|veo)($|[-_./:\d])/i],
  ['moderation', /(^|[-_./:])moderation($|[-_./:\d])/i],
  ['plain completion', /^(babbage|davinci)-\d+$|^gpt-3\.5-turbo-instruct/i],
];

function namedUse(id: string): string | null {
  const use = NAMED_USES.find(([, name]) => name.test(id))?.[0];
  return use === undefined ? null : `Probably for ${use}, judging by its name`;
}
