import type { Envelope } from './anthropicReply.js';
import { type FinishedPart, type FinishedReply, pieces } from './replies.js';

// Answers of Chat Completions: API reference "Chat completion object" and "Chat completion chunk object". Reasoning is
// in `reasoning_content`, which many compatible servers send.

const FINISH_REASONS: Readonly<Record<FinishedReply['stop'], string>> = {
  end: 'stop',
  toolCalls: 'tool_calls',
  length: 'length',
  refused: 'content_filter',
};

export interface ChatEnvelope extends Envelope {
  /** Seconds since 1970. */
  readonly created: number;
  /** Whether cache writes are billed and reported as `cache_write_tokens`. */
  readonly tellsWrites: boolean;
  /** US dollars. Null: not reported. */
  readonly charged: number | null;
}

/** `prompt_tokens` is the whole input. Its cache reads and writes are reported separately. */
function openaiUsage({ usage, tellsWrites, charged }: ChatEnvelope, thinking: number): object {
  const written = usage.written5m + usage.written1h;
  const prompt = usage.read + written + usage.fresh;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.read, ...(tellsWrites ? { cache_write_tokens: written } : {}) },
    completion_tokens_details: { reasoning_tokens: thinking },
    // "Cost" in OpenRouter's "Usage Accounting".
    ...(charged === null ? {} : { cost: charged, is_byok: false, cost_details: { upstream_inference_cost: null } }),
  };
}

export function chatCompletion(reply: FinishedReply, envelope: ChatEnvelope): object {
  const textOf = (type: FinishedPart['type']): string =>
    reply.parts
      .filter((part) => part.type === type)
      .map(({ text }) => text)
      .join('');
  const calls = reply.parts.filter((part) => part.type === 'toolCall');
  const reasoning = textOf('thinking');
  const message = {
    role: 'assistant',
    content: reply.parts.some(({ type }) => type === 'text') ? textOf('text') : null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map(({ id, name, text }) => ({ id, type: 'function', function: { name, arguments: text } })) }),
    refusal: null,
  };
  return {
    ...head(envelope, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[reply.stop] }],
    usage: openaiUsage(envelope, reply.thinking),
  };
}

/**
 * The stream as texts of server-sent events. @param includeUsage - `stream_options.include_usage`: "an additional chunk
 * will be streamed before the data: [DONE] message". Its `choices` are empty, and all other chunks have a `usage` of
 * null.
 */
export function chatChunks(reply: FinishedReply, envelope: ChatEnvelope, includeUsage: boolean): string[] {
  const nullUsage = includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finish: string | null): object => ({
    ...head(envelope, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...nullUsage,
  });
  let calls = 0;
  const parts = reply.parts.flatMap((part) => {
    const index = calls;
    calls += part.type === 'toolCall' ? 1 : 0;
    return deltas(part, index);
  });
  const usage = { ...head(envelope, 'chat.completion.chunk'), choices: [], usage: openaiUsage(envelope, reply.thinking) };
  const chunks = [
    chunk({ role: 'assistant', content: '', refusal: null }, null),
    ...parts.map((delta) => chunk(delta, null)),
    chunk({}, FINISH_REASONS[reply.stop]),
    ...(includeUsage ? [usage] : []),
  ];
  return [...chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), 'data: [DONE]\n\n'];
}

function head({ id, model, created, usage }: ChatEnvelope, object: string): object {
  return { id, object, created, model, service_tier: usage.serviceTier ?? 'default' };
}

function deltas(part: FinishedPart, index: number): object[] {
  switch (part.type) {
    case 'text':
      return pieces(part.text).map((content) => ({ content }));
    case 'thinking':
      return pieces(part.text).map((text) => ({ reasoning_content: text }));
    case 'toolCall':
      return [
        { tool_calls: [{ index, id: part.id, type: 'function', function: { name: part.name, arguments: '' } }] },
        ...pieces(part.text).map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
      ];
  }
}
