import type * as Sdk from '@anthropic-ai/sdk/resources/messages';
import type { ToolReference } from '../../engine/model/part.js';
import { type LoupeError, failure } from '../../engine/errors.js';
import type { Block, Breakpoint, WirePart, WireResultContent } from '../../engine/model/block.js';
import type { Prompt, WireMessage } from '../../engine/model/prompt.js';
import type { ConverterModel, PromptImages, RequestParams, WireRequest } from '../../engine/model/model.js';
import { UniqueIds, wireCallIds, wireId } from '../callIds.js';
import { inputSchema, wellFormedJson } from '../toolJson.js';
import { fitsThinking, isThinkingDisabled, mustLeaveOutThinking, refusedReasoning, thinkingBudget } from './thinking.js';

/** Version of this converter. Change the version when the same prompt gives different bytes. */
export const CONVERTER_VERSION = 'anthropic/1';

/**
 * `max_tokens` for a model with an unknown output limit, because the API requires a value. The API refuses a value
 * above the model's own limit, and most models with tools can write 8,192 tokens. Loupe adds a fixed thinking budget to
 * this value, because thinking counts as output.
 */
export const DEFAULT_MAX_TOKENS = 8_192;

/** Start of `opaque` for redacted reasoning, which the API expects in a block of the type `redacted_thinking`. */
export const REDACTED_PREFIX = 'redacted:';

/** Maximum number of characters in the id of a tool call. The characters can be letters, digits, `_` and `-`. */
const LONGEST_CALL_ID = 64;

/** Text of a message without any content that the API accepts. Without the message, roles would no longer alternate. */
const NOTHING_TO_SEND = '(Nothing of this message can be sent.)';

/** Replaces an empty failed result, and introduces a failed result with an image. */
const FAILED = '(The tool failed.)';

interface ConversionInputs {
  readonly callIds: ReadonlyMap<string, string>;
  readonly images: PromptImages;
}

type UserContent = Sdk.TextBlockParam | Sdk.ImageBlockParam | Sdk.ToolResultBlockParam;
type AssistantContent = Sdk.TextBlockParam | Sdk.ToolUseBlockParam | Sdk.ThinkingBlockParam | Sdk.RedactedThinkingBlockParam;

/**
 * Converts a prompt to the body of `POST /v1/messages`, message by message. The same input gives the same bytes. Omits
 * content that the API refuses:
 * - empty text
 * - reasoning in a place where it is not allowed
 * - thinking whose budget exceeds the output limit
 * Throws `protocol` for a block that the format cannot hold, and `storage` for a missing image.
 */
export function convert(model: ConverterModel, prompt: Prompt, params: RequestParams, images: PromptImages): WireRequest {
  const names: ConversionInputs = { callIds: wireCallIds(prompt, new UniqueIds(LONGEST_CALL_ID)), images };
  const { extraBody } = params;
  const maxTokens = params.maxOutputTokens ?? (thinkingBudget(extraBody) ?? 0) + DEFAULT_MAX_TOKENS;
  const isFitting = fitsThinking(extraBody, maxTokens);
  const replaysReasoning = isFitting && !isThinkingDisabled(extraBody);
  const system = contentWithBreakpoints(prompt.system, systemText);
  const own: Sdk.MessageCreateParamsStreaming = {
    model: model.ref.model,
    max_tokens: maxTokens,
    stream: true,
    ...toolMembers(prompt),
    ...(system.length === 0 ? {} : { system }),
    messages: prompt.messages.map((item) => message(item, names, replaysReasoning)),
    ...diagnostics(params),
  };
  const noThinking = !isFitting || mustLeaveOutThinking(extraBody, prompt.messages, replaysReasoning);
  const refused = new Set([...(params.leftOut ?? []), ...(noThinking ? ['thinking'] : [])]);
  // Members that the converter writes take precedence over members of `extraBody` with the same name.
  const extra = Object.entries(extraBody).filter(([name]) => !Object.hasOwn(own, name) && !refused.has(name));
  return { body: wellFormedJson({ ...own, ...Object.fromEntries(extra) }), converterVersion: CONVERTER_VERSION };
}

/** Asks the API to compare this request with an earlier request. If null, the API only stores it for comparisons. */
function diagnostics({ previousResponseId }: RequestParams): Pick<Sdk.MessageCreateParamsStreaming, 'diagnostics'> {
  return previousResponseId === undefined ? {} : { diagnostics: { previous_message_id: previousResponseId } };
}

/** Returns the tools. All or none are retired (needed by earlier calls only). Forbids new calls of retired tools. */
function toolMembers({ tools }: Prompt): Pick<Sdk.MessageCreateParamsStreaming, 'tools' | 'tool_choice'> {
  const areRetired = tools.some(({ part }) => part.type === 'toolDefinition' && part.isRetired);
  return {
    ...(tools.length === 0 ? {} : { tools: contentWithBreakpoints(tools, tool) }),
    ...(areRetired ? { tool_choice: { type: 'none' } } : {}),
  };
}

function tool({ part }: Block): Sdk.Tool {
  if (part.type !== 'toolDefinition') {
    throw misplaced(part, 'among the tools');
  }
  const description = part.description.trim() === '' ? {} : { description: part.description };
  const deferred = part.isDeferred === true ? { defer_loading: true } : {};
  return { name: part.name, ...description, input_schema: inputSchema(part.name, part.schema), ...deferred };
}

function systemText({ part }: Block): Sdk.TextBlockParam | null {
  if (part.type !== 'text') {
    throw misplaced(part, 'in the system prompt');
  }
  return text(part);
}

function message({ role, blocks }: WireMessage, names: ConversionInputs, replaysReasoning: boolean): Sdk.MessageParam {
  const refused = refusedReasoning(blocks, replaysReasoning);
  const content =
    role === 'assistant'
      ? contentWithBreakpoints(blocks, (block) => (refused.has(block) ? null : assistantContent(block, names)))
      : userContents(blocks, names);
  return { role, content: content.length === 0 ? [{ type: 'text', text: NOTHING_TO_SEND }] : content };
}

function userContents(blocks: readonly Block[], names: ConversionInputs): UserContent[] {
  const other = blocks.findIndex(({ part }) => part.type !== 'toolResult');
  const late = blocks.find(({ part }, index) => part.type === 'toolResult' && other !== -1 && index > other);
  if (late !== undefined) {
    throw misplaced(late.part, 'after other content of a user message');
  }
  return contentWithBreakpoints(blocks, (block) => userContent(block, names));
}

function userContent(block: Block, names: ConversionInputs): UserContent | null {
  const { part } = block;
  switch (part.type) {
    case 'text':
    case 'image':
      return textOrImage(part, names);
    case 'toolResult':
      return toolResult(block.key, part, names);
    default:
      throw misplaced(part, 'in a user message');
  }
}

function assistantContent(block: Block, names: ConversionInputs): AssistantContent | null {
  const { part } = block;
  switch (part.type) {
    case 'text':
      return text(part);
    case 'reasoning':
      return thinking(part);
    case 'toolCall':
      return { type: 'tool_use', id: wireId(block.key, names.callIds), name: part.name, input: part.args };
    default:
      throw misplaced(part, 'in an assistant message');
  }
}

type PartOf<T extends WirePart['type']> = Extract<WirePart, { readonly type: T }>;

function thinking({ text: words, opaque }: PartOf<'reasoning'>): Sdk.ThinkingBlockParam | Sdk.RedactedThinkingBlockParam {
  return opaque.startsWith(REDACTED_PREFIX)
    ? { type: 'redacted_thinking', data: opaque.slice(REDACTED_PREFIX.length) }
    : { type: 'thinking', thinking: words, signature: opaque };
}

function toolResult(key: string, part: PartOf<'toolResult'>, names: ConversionInputs): Sdk.ToolResultBlockParam {
  const content = part.content.map((item) => resultContent(item, names)).filter((item) => item !== null);
  return {
    type: 'tool_result',
    tool_use_id: wireId(key, names.callIds),
    ...(part.isError ? failedResult(content) : content.length === 0 ? {} : { content }),
  };
}

type ResultContent = Sdk.TextBlockParam | Sdk.ImageBlockParam | Sdk.ToolReferenceBlockParam;

function resultContent(item: WireResultContent, names: ConversionInputs): ResultContent | null {
  return item.type === 'toolReference' ? { type: 'tool_reference', tool_name: item.name } : textOrImage(item, names);
}

/** Returns a failed result. The API accepts `is_error` only with text, so other results start with a note instead. */
function failedResult(content: ResultContent[]): Pick<Sdk.ToolResultBlockParam, 'content' | 'is_error'> {
  const failed: Sdk.TextBlockParam = { type: 'text', text: FAILED };
  if (content.some(({ type }) => type !== 'text')) {
    return { content: [failed, ...content] };
  }
  return { content: content.length === 0 ? [failed] : content, is_error: true };
}

function textOrImage(
  part: Exclude<WireResultContent, ToolReference>,
  names: ConversionInputs,
): Sdk.TextBlockParam | Sdk.ImageBlockParam | null {
  return part.type === 'text' ? text(part) : image(part, names.images);
}

/** Returns a text block. Null for empty text or only white space, which the API refuses. */
function text({ text: words }: PartOf<'text'>): Sdk.TextBlockParam | null {
  return words.trim() === '' ? null : { type: 'text', text: words };
}

function image({ blob, mimeType }: PartOf<'image'>, images: PromptImages): Sdk.ImageBlockParam {
  const data = images.get(blob);
  if (data === undefined) {
    throw failure('request.imageMissing', { mimeType, blob });
  }
  // The API refuses image types that it does not support, and its error lists the supported types.
  const source = { type: 'base64', media_type: mimeType, data } as Sdk.ImageBlockParam['source'];
  return { type: 'image', source };
}

function misplaced(part: WirePart, where: string): LoupeError {
  return failure('request.misplacedPart', { format: 'The Messages API', part: part.type, where });
}

type MarkableContent = Sdk.TextBlockParam | Sdk.ImageBlockParam | Sdk.ToolUseBlockParam | Sdk.ToolResultBlockParam | Sdk.Tool;
type AnthropicContent = MarkableContent | Sdk.ThinkingBlockParam | Sdk.RedactedThinkingBlockParam;

/**
 * Converts blocks and sets their cache breakpoints. Some blocks cannot have a breakpoint: thinking, deferred tools (the
 * API refuses both), and omitted blocks (`toContent` returns null). Their breakpoint moves to the nearest earlier block
 * that can have one. If that block does not exist or already has a breakpoint, the provider caches less.
 */
function contentWithBreakpoints<T extends AnthropicContent>(blocks: readonly Block[], toContent: (block: Block) => T | null): T[] {
  const contents: T[] = [];
  for (const block of blocks) {
    const content = toContent(block);
    if (content !== null) {
      contents.push(content);
    }
    if (block.breakpoint !== null) {
      markLast(contents, block.breakpoint);
    }
  }
  return contents;
}

function markLast(contents: AnthropicContent[], { ttl }: Breakpoint): void {
  const at = contents.findLastIndex(isMarkable);
  const content = contents[at];
  if (content !== undefined && isMarkable(content) && content.cache_control === undefined) {
    contents[at] = { ...content, cache_control: cacheControl(ttl) };
  }
}

/** Returns the cache mark of a block. Omits a lifetime of five minutes, because it is the API's default. */
function cacheControl(ttl: Breakpoint['ttl']): Sdk.CacheControlEphemeral {
  return ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
}

function isMarkable(content: AnthropicContent): content is MarkableContent {
  const isDeferred = 'defer_loading' in content && content.defer_loading;
  return content.type !== 'thinking' && content.type !== 'redacted_thinking' && !isDeferred;
}
