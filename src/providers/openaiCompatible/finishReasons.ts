import type { StopReason } from '../../engine/model/model.js';

/**
 * Stop reasons by the server's word in lower case. OpenAI: `stop`, `length`, `tool_calls`, `function_call` and
 * `content_filter`. Others: Anthropic and Gemini behind gateways, Together (`eos`), Mistral (`model_length`). Unknown
 * words, such as DeepSeek's `insufficient_system_resource` or vLLM's `abort`, become `other`, and the chat shows the
 * word.
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
