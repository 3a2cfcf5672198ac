/**
 * Members of a message with reasoning, which the protocol does not define. DeepSeek, vLLM and llama.cpp use
 * `reasoning_content`; OpenRouter, Groq and newer vLLM `reasoning`. A server that sends both sends the same text
 * twice, so the first one counts.
 */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

export type ReasoningField = (typeof REASONING_FIELDS)[number];

/** Narrows the `opaque` of a reasoning part, which names the member that the reasoning came in. */
export function isReasoningField(name: string): name is ReasoningField {
  return REASONING_FIELDS.some((field) => field === name);
}
