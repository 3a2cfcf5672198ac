import { failure } from '../../engine/errors.js';
import type { Block, WirePart } from '../../engine/model/block.js';
import type { Prompt, WireMessage } from '../../engine/model/prompt.js';
import type { ConverterModel, RequestParams, WireRequest } from '../../engine/model/model.js';
import type { PracticeMessage, PracticePart, PracticeRequest } from './wire.js';

/** Version of this converter. Change the version when the same prompt gives different bytes. */
export const CONVERTER_VERSION = 'practice/1';

/**
 * Converts a prompt to the practice model's wire format, message by message. The same input gives the same bytes.
 * Throws `protocol` for content that the format cannot hold. Omits nothing.
 */
export function convert(model: ConverterModel, prompt: Prompt, params: RequestParams): WireRequest {
  const request: PracticeRequest = {
    ...params.extraBody,
    model: model.ref.model,
    max_tokens: params.maxOutputTokens,
    tools: parts(prompt.tools, ['toolDefinition'], 'among the tools'),
    system: parts(prompt.system, ['text'], 'in the system prompt'),
    messages: prompt.messages.map(message),
  };
  return { body: JSON.stringify(request), converterVersion: CONVERTER_VERSION };
}

/** Converts a message. A user message that starts with tool results gets the role `tool` and has only results. */
function message({ role, blocks }: WireMessage): PracticeMessage {
  if (role === 'assistant') {
    return { role, content: parts(blocks, ['text', 'toolCall'], 'in an assistant message') };
  }
  return blocks[0]?.part.type === 'toolResult'
    ? { role: 'tool', content: parts(blocks, ['toolResult'], 'beside tool results') }
    : { role, content: parts(blocks, ['text', 'image'], 'in a user message') };
}

/** Returns the parts of blocks with their breakpoints. Throws for other block types. */
function parts<T extends PracticePart['type']>(blocks: readonly Block[], types: readonly T[], where: string): PracticePart<T>[] {
  const isPlaced = (part: WirePart): part is PracticePart<T> => types.some((type) => type === part.type);
  return blocks.map(({ part, breakpoint, category }) => {
    const said = category === 'editor' ? { ...part, isEditorState: true as const } : part;
    const marked = breakpoint === null ? said : { ...said, cache: breakpoint.ttl };
    if (!isPlaced(marked)) {
      throw failure('request.misplacedPart', { format: "The practice model's wire format", part: part.type, where });
    }
    return marked;
  });
}
