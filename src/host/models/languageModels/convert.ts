import { failure, type LoupeError } from '../../../engine/errors.js';
import type { Block, WirePart, WireResultContent } from '../../../engine/model/block.js';
import type { Prompt, WireMessage } from '../../../engine/model/prompt.js';
import type { ConverterModel, PromptImages, RequestParams, WireRequest } from '../../../engine/model/model.js';
import { UniqueIds, wireCallIds, wireId } from '../../../providers/callIds.js';
import type { LmImage, LmMessage, LmRequest, LmText, LmTool, LmToolCall, LmToolResult } from './wire.js';

/** Version of this converter. Change the version when the same prompt gives different bytes. */
export const CONVERTER_VERSION = 'vscode-lm/1';

/** Maximum length of a tool call's id: OpenAI's limit for `call_id`, because extensions can send ids to OpenAI. */
const LONGEST_CALL_ID = 64;

interface LmConversion {
  readonly images: PromptImages;
  /** The id of each tool call and result in the request, by block key. */
  readonly callIds: ReadonlyMap<string, string>;
}

/**
 * Converts a prompt to the arguments of `LanguageModelChat.sendRequest`. The same input gives the same bytes. Omits
 * breakpoints and the output limit (a provider may accept a limit in `modelOptions`). Throws `protocol` for other
 * content that the API cannot represent, and `storage` for an image that is not in `images`.
 */
export function convert(_model: ConverterModel, prompt: Prompt, params: RequestParams, images: PromptImages): WireRequest {
  const conversion: LmConversion = { images, callIds: wireCallIds(prompt, new UniqueIds(LONGEST_CALL_ID)) };
  const request: LmRequest = {
    messages: [...systemMessages(prompt.system), ...prompt.messages.flatMap((message) => messages(message, conversion))],
    tools: prompt.tools.map(tool),
    modelOptions: params.extraBody,
  };
  return { body: JSON.stringify(request), converterVersion: CONVERTER_VERSION };
}

/** Returns the system prompt as a first user message. The API has no system role, and VS Code's guide advises this. */
function systemMessages(blocks: readonly Block[]): LmMessage[] {
  return blocks.length === 0 ? [] : [{ role: 'user', content: blocks.map(({ part }) => text(part, 'in the system prompt')) }];
}

function tool({ part }: Block): LmTool {
  if (part.type !== 'toolDefinition') {
    throw misplaced(part, 'among the tools');
  }
  return { name: part.name, description: part.description, inputSchema: part.schema };
}

/**
 * Moves user content after tool results into a separate message, because some providers have a message type that holds
 * only results. The API allows two user messages in a row.
 */
function messages({ role, blocks }: WireMessage, conversion: LmConversion): LmMessage[] {
  if (role === 'assistant') {
    return [{ role, content: blocks.map((block) => assistantPart(block, conversion)) }];
  }
  const firstOfUser = blocks.findIndex(({ part }) => part.type !== 'toolResult');
  const results = firstOfUser === -1 ? blocks : blocks.slice(0, firstOfUser);
  const others = firstOfUser === -1 ? [] : blocks.slice(firstOfUser);
  const contents = [
    results.flatMap((block) => (block.part.type === 'toolResult' ? [toolResult(block.key, block.part, conversion)] : [])),
    others.map(({ part }) => content(part, conversion, 'in a user message')),
  ];
  return contents.filter(({ length }) => length > 0).map((parts) => ({ role, content: parts }));
}

function assistantPart({ key, part }: Block, { callIds }: LmConversion): LmText | LmToolCall {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'toolCall':
      return { type: 'toolCall', id: wireId(key, callIds), name: part.name, args: part.args };
    default:
      throw misplaced(part, 'in an assistant message');
  }
}

function toolResult(key: string, part: Extract<WirePart, { type: 'toolResult' }>, conversion: LmConversion): LmToolResult {
  const items = part.content.map((item) => content(item, conversion, 'in a tool result'));
  return { type: 'toolResult', callId: wireId(key, conversion.callIds), content: items };
}

function content(part: WirePart | WireResultContent, { images }: LmConversion, where: string): LmText | LmImage {
  if (part.type !== 'image') {
    return text(part, where);
  }
  const data = images.get(part.blob);
  if (data === undefined) {
    throw failure('request.imageMissing', part);
  }
  return { type: 'image', mimeType: part.mimeType, data };
}

function text(part: WirePart | WireResultContent, where: string): LmText {
  if (part.type !== 'text') {
    throw misplaced(part, where);
  }
  return { type: 'text', text: part.text };
}

function misplaced({ type }: Pick<WirePart | WireResultContent, 'type'>, where: string): LoupeError {
  return failure('request.misplacedPart', { format: "VS Code's language model API", part: type, where });
}
