/** Messages for a request that exceeds the model's context. A group matches the limit, if given. */
const PHRASES: readonly RegExp[] = [
  // "prompt is too long: 210000 tokens > 200000 maximum" (Anthropic; others without the numbers).
  /prompt is too long(?:: [\d,]+ tokens > ([\d,]+))?/i,
  // "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000" (Anthropic).
  /exceeds? context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  // "This model's maximum context length is 128000 tokens" (OpenAI, OpenRouter, vLLM, SGLang, DeepSeek).
  /maximum (?:context|model|prompt) length (?:is|of) ([\d,]+)/i,
  // "Input tokens exceed the configured limit of 272000 tokens" (OpenAI).
  /tokens exceed the configured limit of ([\d,]+)/i,
  // "Your input exceeds the context window of this model" (OpenAI), "context window exceeds limit" (MiniMax).
  /exceeds? (?:the |model )?context window(?: of ([\d,]+))?|context window exceeds/i,
  // "request (4390 tokens) exceeds the available context size (4096 tokens)" (llama.cpp; older without the numbers).
  /exceeds the available context size(?: \(([\d,]+) tokens\))?|context size has been exceeded/i,
  // "the model is loaded with context length of only 4096 tokens" (LM Studio), "context length is only 4096" (vLLM).
  /context length (?:of|is) only ([\d,]+)/i,
  // "greater than the context length (n_keep: 13055>= n_ctx: 4096)" (LM Studio; older without the numbers).
  /greater than the context length(?: \(n_keep: ?\d+ ?>= ?n_ctx: ?(\d+)\))?/i,
  // "Reached context length of 4096 tokens with this model" (LM Studio).
  /reached context length of ([\d,]+)/i,
  // "longer than the model's context length (4096 tokens)" (SGLang).
  /longer than the model's context length(?: \(([\d,]+) tokens\))?/i,
  // "the input length exceeds the context length", "exceeded max context length by 120 tokens" (Ollama).
  /exceeds? the context length|exceeded max context length/i,
  // "too large for model with 32768 maximum context length" (Mistral).
  /too large for model with ([\d,]+) maximum context length/i,
  // "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)" (Gemini).
  /exceeds the maximum number of tokens allowed \(?([\d,]+)/i,
  // "prompt token count of 140000 exceeds the limit of 128000" (GitHub Copilot).
  /token count of [\d,]+ exceeds the limit of ([\d,]+)/i,
  // "Your request exceeded model token limit: 131072 (requested: 150000)" (Moonshot).
  /exceeded model token limit(?:: ([\d,]+))?/i,
  // "Range of input length should be [1, 129024]" (DashScope).
  /range of input length should be \[\d+, ?([\d,]+)\]/i,
  // "Request body too large for gpt-4o model. Max size: 8000 tokens." (GitHub Models).
  /request body too large.*max size: ([\d,]+) tokens/i,
  // "`inputs` tokens + `max_new_tokens` must be <= 4096" (text-generation-inference).
  /`max_new_tokens` must be <= ([\d,]+)/i,
  // Without a limit: Groq; Bedrock; Z.ai; a proxy's limit; a single request above a rate limit, where waiting is
  // useless.
  /reduce the length of the messages|input is too long for requested model|prompt exceeds max length/i,
  /request (?:entity )?too large/i,
];

/** Error codes and types with the same meaning. */
const CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'exceed_context_size_error',
  'request_too_large',
  'string_above_max_length',
  'tokens_limit_reached',
]);

/** llama.cpp sends it as a separate member of its error. */
const N_CTX = /"n_ctx" ?: ?(\d+)/;

export interface Overflow {
  /** The model's limit in tokens, or null. */
  readonly limit: number | null;
}

/** Returns whether the request is too long for the model, with its limit. Null for other failures. */
export function overflowIn(message: string, code: string | null): Overflow | null {
  const said = PHRASES.map((phrase) => phrase.exec(message)).filter((match) => match !== null);
  if (said.length === 0 && !CODES.has(code ?? '')) {
    return null;
  }
  const told = [...said.map((match) => match[1]), N_CTX.exec(message)?.[1]].find((limit) => limit !== undefined);
  const limit = Number(told?.replaceAll(',', ''));
  return { limit: Number.isSafeInteger(limit) && limit > 0 ? limit : null };
}
