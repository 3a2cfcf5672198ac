/**
 * Tags around reasoning in a content. DeepSeek's and Qwen's models write `think` where their server does not take it out
 * (Groq with `reasoning_format: raw`, MiniMax without `reasoning_split`, vLLM without a parser), MiniMax M3 `mm:think`,
 * Gemini `thought` when it is asked for its thoughts, and models that a prompt has think aloud `thinking`.
 */
export const REASONING_TAGS = ['think', 'thinking', 'thought', 'mm:think'] as const;
