import type { StopReason } from '../../engine/model/model.js';

/**
 * Why a reply ended, by the words of the servers in lower case. OpenAI has `stop`, `length`, `tool_calls`,
 * `function_call` and `content_filter`. The others are those of Anthropic and Gemini behind gateways that pass them on,
 * of Together (`eos`), and of Mistral (`model_length`). All other words, such as DeepSeek's `insufficient_system_resource`
 * or vLLM's `abort`, are no end that the model chose: they are shown as they came.
 */
const REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  end_turn: 'end',
  stop_sequence: 'end',
  eos: 'end',
  complete: 'end',
  completed: 'end',
  tool_calls: 'toolCalls',
  tool_call: 'toolCalls',
  tool_use: 'toolCalls',
  function_call: 'toolCalls',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'refused',
  refusal: 'refused',
  safety: 'refused',
  recitation: 'refused',
  blocklist: 'refused',
  prohibited_content: 'refused',
  spii: 'refused',
  sensitive: 'refused',
};

export function stopReasonOf(finishReason: string): StopReason {
  const word = finishReason.toLowerCase();
  return Object.hasOwn(REASONS, word) ? (REASONS[word] ?? 'other') : 'other';
}
