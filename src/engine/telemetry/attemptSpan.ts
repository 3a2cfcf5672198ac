import { type Usage, figureValue, inputTokens } from '../model/usage.js';
import type { AttemptEnd, AttemptState } from '../chat/slices/attempts.js';
import { type Json, type JsonObject, parseForeignJson } from '../json.js';
import type { Sha256 } from '../ports.js';
import type { Prompt, WireMessage } from '../model/prompt.js';
import { type OtlpSpan, SPAN_KIND_CLIENT, STATUS_ERROR, otlpAttributes, unixNano } from './otlp.js';
import { assertNever } from '../assertNever.js';
import { loadedText } from '../chat/message/message.js';
import type { Reply } from '../chat/message/reply.js';
import type { WirePart, WireResultContent } from '../model/block.js';

export type EndedAttempt = AttemptState & { readonly end: AttemptEnd };

export interface SpanContext {
  readonly chatId: string;
  readonly sha256: Sha256;
}

/** The texts of an attempt. `prompt` is null when the request cannot be rebuilt. */
export interface SpanTexts {
  readonly prompt: Prompt | null;
}

/** Names of providers in OpenTelemetry's conventions, by host. Other providers keep the name from the settings. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  'api.anthropic.com': 'anthropic',
  'api.openai.com': 'openai',
  'api.deepseek.com': 'deepseek',
  'api.groq.com': 'groq',
  'api.mistral.ai': 'mistral_ai',
  'api.perplexity.ai': 'perplexity',
  'api.x.ai': 'x_ai',
  'generativelanguage.googleapis.com': 'gcp.gemini',
};

/** OpenTelemetry's names for the stop reasons of a reply. */
const FINISH_REASONS: Readonly<Record<NonNullable<AttemptEnd['stopReason']>, string>> = {
  end: 'stop',
  toolCalls: 'tool_call',
  length: 'length',
  refused: 'content_filter',
  other: 'other',
};

/**
 * Returns the span of an attempt, by the OpenTelemetry conventions for generative AI. The attempts of a run share a
 * trace. The ids are derived from run and attempt, so a repeated export gives the same span. `texts` is null for a span
 * without message texts.
 */
export function attemptSpan(attempt: EndedAttempt, { chatId, sha256 }: SpanContext, texts: SpanTexts | null): OtlpSpan {
  const { id, runId, model, startedAt, end } = attempt;
  const errorType = errorTypeOf(end);
  return {
    traceId: sha256(`run ${runId ?? id}`).slice(0, 32),
    spanId: sha256(`attempt ${id}`).slice(0, 16),
    name: `chat ${model.model}`,
    kind: SPAN_KIND_CLIENT,
    startTimeUnixNano: unixNano(startedAt),
    // A clock may be set back, but a span must not end before it starts.
    endTimeUnixNano: unixNano(Math.max(startedAt, end.at)),
    attributes: otlpAttributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': chatId,
      ...requestAttributes(attempt),
      ...responseAttributes(end),
      ...usageAttributes(end),
      'error.type': errorType,
      'loupe.attempt.id': id,
      'loupe.run.id': runId,
      'loupe.purpose': attempt.purpose,
      'loupe.outcome': end.outcome,
      'loupe.retry.number': end.retry?.number ?? null,
      'loupe.is_pretended': attempt.isPretended ?? null,
      ...(texts === null ? {} : textAttributes(attempt, texts)),
    }),
    status: errorType === null ? {} : { code: STATUS_ERROR, message: end.error?.message ?? 'The reply was interrupted.' },
  };
}

function requestAttributes({ model, protocol, manifest, end }: EndedAttempt): JsonObject {
  const url = end.exchange === null ? null : urlOf(end.exchange.url);
  return {
    'gen_ai.provider.name': PROVIDER_NAMES[url?.hostname ?? ''] ?? model.provider,
    'gen_ai.request.model': model.model,
    'gen_ai.request.max_tokens': manifest.params.maxOutputTokens,
    'loupe.protocol': protocol,
    'server.address': url?.hostname ?? null,
    'server.port': url === null ? null : portOf(url),
  };
}

function responseAttributes({ responseId, stopReason, finishReason }: AttemptEnd): JsonObject {
  return {
    'gen_ai.response.id': responseId,
    'gen_ai.response.finish_reasons':
      stopReason === null ? null : [(stopReason === 'other' ? finishReason : undefined) ?? FINISH_REASONS[stopReason]],
  };
}

function usageAttributes({ usage, cost }: AttemptEnd): JsonObject {
  return {
    ...(usage === null ? {} : tokenAttributes(usage)),
    ...(cost === null ? {} : { 'loupe.cost.usd': cost.usd, 'loupe.cost.is_at_least': cost.atLeast }),
  };
}

/** In OpenTelemetry's conventions, the input includes cache reads and cache writes. */
function tokenAttributes(usage: Usage): JsonObject {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens(usage),
    'gen_ai.usage.cache_read.input_tokens': figureValue(cacheReadInputTokens),
    'gen_ai.usage.cache_creation.input_tokens': figureValue(cacheCreationInputTokens),
    'gen_ai.usage.output_tokens': figureValue(completionTokens),
    'loupe.usage.input_source': promptTokens?.source ?? null,
    'loupe.usage.output_source': completionTokens?.source ?? null,
  };
}

function textAttributes({ reply, end }: EndedAttempt, { prompt }: SpanTexts): JsonObject {
  const finishReason = end.stopReason === null ? (end.error === null ? end.outcome : 'error') : FINISH_REASONS[end.stopReason];
  return {
    ...(prompt === null ? {} : promptAttributes(prompt)),
    'gen_ai.output.messages': replyAttribute(reply, finishReason),
  };
}

/** Returns `interrupted`, the HTTP status of an error, or else the error code. Null for a reply that did not fail. */
function errorTypeOf({ outcome, error, exchange }: AttemptEnd): string | null {
  if (outcome === 'interrupted') {
    return 'interrupted';
  }
  if (error === null) {
    return null;
  }
  const status = exchange?.response?.status ?? 0;
  return status >= 400 ? String(status) : error.code;
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
}

export function promptAttributes({ tools, system, messages }: Prompt): JsonObject {
  return {
    'gen_ai.system_instructions': system.length === 0 ? null : system.map(({ part }) => genAiPart(part)),
    'gen_ai.tool.definitions': tools.length === 0 ? null : tools.map(({ part }) => genAiPart(part)),
    'gen_ai.input.messages': messages.flatMap(genAiMessages),
  };
}

/** Returns the reply as an attribute; null when it is empty. */
export function replyAttribute(reply: Reply, finishReason: string): Json {
  const parts = reply.flatMap((part): Json[] => {
    switch (part?.type) {
      case undefined:
        return [];
      case 'text':
        return [{ type: 'text', content: part.text }];
      case 'image':
        return [contentPart(part)];
      case 'reasoning':
        return [{ type: 'reasoning', content: part.text }];
      case 'toolCall':
        return [{ type: 'tool_call', id: part.id, name: part.name, arguments: parseForeignJson(part.rawArgs) ?? part.rawArgs }];
      default:
        return assertNever(part);
    }
  });
  return parts.length === 0 ? null : [{ role: 'assistant', parts, finish_reason: finishReason }];
}

/** Tool results become a separate message with the role `tool`, as OpenTelemetry's conventions require. */
function genAiMessages({ role, blocks }: WireMessage): Json[] {
  const results = blocks.filter(({ part }) => part.type === 'toolResult');
  const others = blocks.filter(({ part }) => part.type !== 'toolResult');
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool', parts: results.map(({ part }) => genAiPart(part)) }]),
    ...(others.length === 0 ? [] : [{ role, parts: others.map(({ part }) => genAiPart(part)) }]),
  ];
}

function genAiPart(part: WirePart): Json {
  switch (part.type) {
    case 'text':
    case 'image':
      return contentPart(part);
    case 'reasoning':
      return { type: 'reasoning', content: part.text };
    case 'toolCall':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.args };
    case 'toolResult':
      return { type: 'tool_call_response', id: part.callId, response: resultOf(part.content) };
    case 'toolDefinition':
      return { type: 'function', name: part.name, description: part.description, parameters: part.schema };
    default:
      return assertNever(part);
  }
}

function resultOf(content: readonly WireResultContent[]): Json {
  const [first, ...more] = content;
  return first?.type === 'text' && more.length === 0 ? first.text : content.map(contentPart);
}

/** Exports images by hash and without their bytes, because each request would repeat the bytes. */
function contentPart(content: WireResultContent): Json {
  switch (content.type) {
    case 'text':
      return { type: 'text', content: content.text };
    case 'toolReference':
      return { type: 'text', content: loadedText(content) };
    case 'image':
      return { type: 'uri', modality: 'image', mime_type: content.mimeType, uri: `sha256:${content.blob}` };
  }
}
