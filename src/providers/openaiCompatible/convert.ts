import type { Json, JsonObject } from '../../engine/json.js';
import type { Block, WirePart, WireResultContent } from '../../engine/model/block.js';
import type { Prompt, WireMessage as PromptMessage } from '../../engine/model/prompt.js';
import type { ConverterModel, PromptImages, RequestParams, WireRequest } from '../../engine/model/model.js';
import { NineCharacterIds, UniqueIds, wireCallIds, wireId } from '../callIds.js';
import { inputSchema, wellFormedJson } from '../toolJson.js';
import { type ReturnedContent, returnedReasoning } from './returnedReasoning.js';
import type {
  BreakpointMembers,
  CompletionsMessage,
  CompletionsTool,
  WireAssistant,
  WireImage,
  WireText,
  WireToolCall,
  WireToolResult,
} from './wire.js';
import { loadedText } from '../../engine/chat/message/message.js';
import { type LoupeError, failure } from '../../engine/errors.js';

/** Replaces an empty tool result, which some servers refuse. */
const NO_OUTPUT = '(no output)';

/** Starts the result of a failed tool, because the protocol has no member for failures. */
const FAILED = 'Error: ';

interface ToolMessages {
  readonly messages: WireToolResult[];
  /** Images of the tool results, in order. The next user message has the images, because tool messages are text. */
  readonly images: readonly WireImage[];
}

function toolMessages(results: readonly Block[], conversion: CompletionsConversion): ToolMessages {
  const images: WireImage[] = [];
  const messages = results.map((block): WireToolResult => {
    const { part } = block;
    if (part.type !== 'toolResult') {
      throw misplaced(part, 'among tool results');
    }
    const lines = part.content.map((content) => contentText(content, images, conversion));
    const text = `${part.isError ? FAILED : ''}${lines.length === 0 ? NO_OUTPUT : lines.join('\n')}`;
    const content: WireText = { type: 'text', text, ...mark(block) };
    return { role: 'tool', tool_call_id: wireId(block.key, conversion.callIds), content: simplest([content]) };
  });
  return { messages, images };
}

/** Returns the text of a part of a tool result. For an image, adds the image to `images` and returns a note. */
function contentText(content: WireResultContent, images: WireImage[], conversion: CompletionsConversion): string {
  if (content.type === 'toolReference') {
    return loadedText(content);
  }
  if (content.type === 'text') {
    return content.text;
  }
  if (!conversion.model.capabilities.userContentAfterToolResults) {
    return `(An image, ${content.mimeType}, is left out: it cannot be sent with a tool result to this model.)`;
  }
  images.push(imagePart(content, conversion));
  return `(An image, ${content.mimeType}: number ${images.length} of the images in the user message that follows.)`;
}

/** Version of this converter. Change the version when the same prompt gives different bytes. */
export const CONVERTER_VERSION = 'openai-compatible/1';

/** Maximum number of characters in a tool call's id for OpenAI. Other servers accept at least as many. */
const LONGEST_CALL_ID = 40;

/** The two names of the output limit, see `outputLimit`. */
const OUTPUT_LIMIT = 'max_tokens';
const NEW_OUTPUT_LIMIT = 'max_completion_tokens';

/** Replaces the text of a reply that has only reasoning, because servers refuse an empty message. */
const NO_TEXT = '(no text)';

/**
 * Converts a prompt to the body of `POST {baseUrl}/chat/completions`. The same input gives the same bytes. Tool results
 * become separate messages, and the protocol separates an assistant's tool calls from its text. Nothing else is merged
 * or reordered.
 *
 * Only text can have a cache breakpoint. The breakpoint of a tool call or of reasoning moves to the text before it in
 * the same message. If there is no such text, and for a tool definition, the breakpoint is dropped. Then less is
 * cached, but the request is correct.
 *
 * Throws `protocol` for content that the format cannot hold, and `storage` for an image that is not in `images`.
 */
export function convert(model: ConverterModel, prompt: Prompt, params: RequestParams, images: PromptImages): WireRequest {
  const refused = new Set(params.leftOut ?? []);
  const ids = model.capabilities.callIds === 'nine' ? new NineCharacterIds() : new UniqueIds(LONGEST_CALL_ID);
  const conversion: CompletionsConversion = { model, images, refused, callIds: wireCallIds(prompt, ids) };
  const own = {
    model: model.ref.model,
    stream: true,
    // Asks for the usage, which a stream does not report by default.
    stream_options: { include_usage: true },
    ...outputLimit(params, refused),
    ...(params.cacheKey === undefined ? {} : { prompt_cache_key: params.cacheKey }),
    // Some servers refuse an empty list of tools.
    ...(prompt.tools.length === 0 ? {} : { tools: prompt.tools.map(tool) }),
    messages: [...systemMessages(prompt.system), ...prompt.messages.flatMap((item) => messages(item, conversion))],
  };
  const taken = without({ ...own, ...additions(params, own) }, refused);
  return { body: wellFormedJson(taken), converterVersion: CONVERTER_VERSION };
}

/**
 * Returns the output limit. Nearly all servers know `max_tokens`, but OpenAI's reasoning models require
 * `max_completion_tokens`. Loupe uses the second name if `extraBody` contains this name with any value, even null. If
 * the server refused one name, Loupe uses the other.
 */
function outputLimit({ maxOutputTokens, extraBody }: RequestParams, leftOut: ReadonlySet<string>): JsonObject {
  if (maxOutputTokens === null) {
    return {};
  }
  const names = [OUTPUT_LIMIT, NEW_OUTPUT_LIMIT];
  const wanted = Object.hasOwn(extraBody, NEW_OUTPUT_LIMIT) ? names.toReversed() : names;
  const name = wanted.find((each) => !leftOut.has(each));
  return name === undefined ? {} : { [name]: maxOutputTokens };
}

function without<T extends object>(object: T, names: ReadonlySet<string>): Partial<T> {
  return names.size === 0 ? object : (Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name))) as Partial<T>);
}

/**
 * Returns the members of `extraBody` that the converter does not write. Omits `max_completion_tokens` if null: it only
 * chooses the name of the limit. Omits `max_tokens` next to a limit that the converter writes, because servers refuse
 * both.
 */
function additions({ maxOutputTokens, extraBody }: RequestParams, own: object): JsonObject {
  const isSpare = ([name, value]: readonly [string, Json]): boolean =>
    Object.hasOwn(own, name) || (name === NEW_OUTPUT_LIMIT && value === null) || (name === OUTPUT_LIMIT && maxOutputTokens !== null);
  return Object.fromEntries(Object.entries(extraBody).filter((entry) => !isSpare(entry)));
}

function tool(block: Block): CompletionsTool {
  const { part } = block;
  if (part.type !== 'toolDefinition') {
    throw misplaced(part, 'among the tools');
  }
  const { name, description, schema } = part;
  return { type: 'function', function: { name, description, parameters: inputSchema(name, schema) } };
}

/** Returns the system prompt as one message. Some servers refuse two system messages, or a list as content. */
function systemMessages(blocks: readonly Block[]): CompletionsMessage[] {
  const texts = blocks.map((block) => textPart(block, 'in the system prompt'));
  if (texts.length === 0) {
    return [];
  }
  // No separator, because the texts contain their own line breaks.
  const content = texts.some(isMarked) ? texts : texts.map(({ text }) => text).join('');
  return [{ role: 'system', content }];
}

function messages({ role, blocks }: PromptMessage, conversion: CompletionsConversion): CompletionsMessage[] {
  if (role === 'assistant') {
    return [assistantMessage(blocks, conversion)];
  }
  const firstOther = blocks.findIndex(({ part }) => part.type !== 'toolResult');
  const results = firstOther === -1 ? blocks : blocks.slice(0, firstOther);
  const { messages: answers, images } = toolMessages(results, conversion);
  const content = [...images, ...blocks.slice(results.length).map((block) => userPart(block, conversion))];
  return content.length === 0 ? answers : [...answers, { role: 'user', content: simplest(content) }];
}

function userPart(block: Block, conversion: CompletionsConversion): WireText | WireImage {
  return block.part.type === 'image' ? { ...imagePart(block.part, conversion), ...mark(block) } : textPart(block, 'in a user message');
}

function assistantMessage(blocks: readonly Block[], conversion: CompletionsConversion): WireAssistant {
  const returned = returnedReasoning(blocks.map(({ part }) => part).filter((part) => part.type === 'reasoning'));
  const texts: WireText[] = [];
  const calls: WireToolCall[] = [];
  for (const block of blocks) {
    const { part } = block;
    switch (part.type) {
      case 'text':
        texts.push(textPart(block, 'in an assistant message'));
        break;
      case 'toolCall':
        calls.push({ ...toolCall(block, part, conversion), ...returned?.calls.get(part.id) });
        markLast(texts, block);
        break;
      case 'reasoning':
        if (returned === null) {
          throw misplaced(part, `whose origin is "${part.opaque}"`);
        }
        markLast(texts, block);
        break;
      default:
        throw misplaced(part, 'in an assistant message');
    }
  }
  const content = withReasoning(texts, returned?.content ?? []);
  return {
    role: 'assistant',
    ...without(returned?.members ?? {}, conversion.refused),
    content: content.length > 0 ? simplest(content) : calls.length > 0 ? null : NO_TEXT,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Puts reasoning that was part of the reply's content before the texts. */
function withReasoning(texts: readonly WireText[], reasoning: readonly ReturnedContent[]): readonly (WireText | JsonObject)[] {
  const tagged = reasoning.map((each) => ('tagged' in each ? each.tagged : '')).join('');
  const parts = reasoning.flatMap((each) => ('part' in each ? [each.part] : []));
  const [first, ...others] = texts;
  if (tagged === '') {
    return [...parts, ...texts];
  }
  return [...parts, first === undefined ? { type: 'text', text: tagged } : { ...first, text: tagged + first.text }, ...others];
}

function toolCall(block: Block, part: Extract<WirePart, { type: 'toolCall' }>, conversion: CompletionsConversion): WireToolCall {
  return {
    id: wireId(block.key, conversion.callIds),
    type: 'function',
    function: { name: part.name, arguments: wellFormedJson(part.args) },
  };
}

/** Copies the breakpoint of a block that cannot have one to the last text, unless this text has a breakpoint. */
function markLast(texts: WireText[], block: Block): void {
  const last = texts.at(-1);
  if (last !== undefined && !isMarked(last)) {
    texts[texts.length - 1] = { ...last, ...mark(block) };
  }
}

interface CompletionsConversion {
  readonly model: ConverterModel;
  readonly images: PromptImages;
  /** Members of the request body and of messages that the server refuses. */
  readonly refused: ReadonlySet<string>;
  /** The ids of tool calls and results in the request body, by block key. */
  readonly callIds: ReadonlyMap<string, string>;
}

function imagePart(image: Extract<WirePart, { type: 'image' }>, { images }: CompletionsConversion): WireImage {
  const base64 = images.get(image.blob);
  if (base64 === undefined) {
    throw failure('request.imageMissing', image);
  }
  return { type: 'image_url', image_url: { url: `data:${image.mimeType};base64,${base64}` } };
}

function textPart(block: Block, where: string): WireText {
  if (block.part.type !== 'text') {
    throw misplaced(block.part, where);
  }
  return { type: 'text', text: block.part.text, ...mark(block) };
}

/** Returns a list of parts. A single text without a breakpoint becomes a string, which every server accepts. */
function simplest<T extends WireText | WireImage | JsonObject>(parts: readonly T[]): string | readonly T[] {
  const [first] = parts;
  return parts.length === 1 && isText(first) && !isMarked(first) ? first.text : parts;
}

function isText(part: WireText | WireImage | JsonObject | undefined): part is WireText {
  return part?.type === 'text';
}

function isMarked({ cache_control, prompt_cache_breakpoint }: BreakpointMembers): boolean {
  return cache_control !== undefined || prompt_cache_breakpoint !== undefined;
}

function mark({ breakpoint }: Block): BreakpointMembers {
  if (breakpoint === null) {
    return {};
  }
  switch (breakpoint.ttl) {
    case '5m':
      return { cache_control: { type: 'ephemeral' } };
    case '1h':
      return { cache_control: { type: 'ephemeral', ttl: '1h' } };
    case '30m':
      return { prompt_cache_breakpoint: { mode: 'explicit' } };
  }
}

function misplaced(part: WirePart, where: string): LoupeError {
  return failure('request.misplacedPart', { format: 'The Chat Completions format', part: part.type, where });
}
