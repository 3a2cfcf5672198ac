/**
 * Tags around reasoning in the content. `think`: DeepSeek's and Qwen's models when their server does not parse it (Groq
 * with `reasoning_format: raw`, MiniMax without `reasoning_split`, vLLM without a parser). `mm:think`: MiniMax M3.
 * `thought`: Gemini when asked for its thoughts. `thinking`: models that a prompt asks to think aloud.
 */
export const REASONING_TAGS = ['think', 'thinking', 'thought', 'mm:think'] as const;
