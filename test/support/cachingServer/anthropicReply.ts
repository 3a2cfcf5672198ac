import type { Diagnostics } from './anthropicDiagnostics.js';
import type { ComputedUsage } from './options.js';
import { type FinishedPart, type FinishedReply, pieces } from './replies.js';

// Answers of the Messages API: docs "Messages", "Streaming messages" and "Tracking cache performance".

const STOP_REASONS: Readonly<Record<FinishedReply['stop'], string>> = {
  end: 'end_turn',
  toolCalls: 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
};

export interface Envelope {
  readonly id: string;
  readonly model: string;
  readonly usage: ComputedUsage;
}

export interface MessageEnvelope extends Envelope {
  readonly diagnostics: Diagnostics;
}

/** `cache_creation_input_tokens` is the sum of both cache writes. */
function anthropicUsage({ read, written5m, written1h, fresh, output, serviceTier }: ComputedUsage): object {
  return {
    input_tokens: fresh,
    cache_creation_input_tokens: written5m + written1h,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: written5m, ephemeral_1h_input_tokens: written1h },
    output_tokens: output,
    service_tier: serviceTier ?? 'standard',
  };
}

export function anthropicMessage(reply: FinishedReply, envelope: MessageEnvelope): object {
  return { ...message(envelope), content: reply.parts.map(block), stop_reason: STOP_REASONS[reply.stop] };
}

export function anthropicEvents(reply: FinishedReply, envelope: MessageEnvelope): string[] {
  // At the start of the stream, only the first output token is known.
  const started = { ...envelope, usage: { ...envelope.usage, output: Math.min(1, envelope.usage.output) } };
  return [
    { type: 'message_start', message: message(started) },
    { type: 'ping' },
    ...reply.parts.flatMap((part, index) => [
      { type: 'content_block_start', index, content_block: emptyBlock(part) },
      ...deltas(part).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: STOP_REASONS[reply.stop], stop_sequence: null },
      // "The token counts shown in the usage field of the message_delta event are cumulative."
      usage: anthropicUsage(envelope.usage),
    },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function message({ id, model, usage, diagnostics }: MessageEnvelope): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: anthropicUsage(usage),
    diagnostics,
  };
}

function block(part: FinishedPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'thinking':
      return { type: 'thinking', thinking: part.text, signature: part.signature };
    case 'toolCall':
      return { type: 'tool_use', id: part.id, name: part.name, input: JSON.parse(part.text) as unknown };
  }
}

function emptyBlock(part: FinishedPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'toolCall':
      return { type: 'tool_use', id: part.id, name: part.name, input: {} };
  }
}

function deltas(part: FinishedPart): object[] {
  switch (part.type) {
    case 'text':
      return pieces(part.text).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...pieces(part.text).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: part.signature },
      ];
    case 'toolCall':
      return pieces(part.text).map((partial) => ({ type: 'input_json_delta', partial_json: partial }));
  }
}
