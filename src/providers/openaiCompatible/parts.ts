import { failure, type LoupeError } from '../../engine/errors.js';
import type { Block, WirePart } from '../../engine/model/block.js';
import type { ConverterModel, PromptImages } from '../../engine/model/model.js';
import type { JsonObject } from '../../engine/json.js';
import type { BreakpointMembers, WireImage, WireText } from './wire.js';

export interface CompletionsConversion {
  readonly model: ConverterModel;
  readonly images: PromptImages;
  /** Members of the body and of messages that the server refuses. */
  readonly refused: ReadonlySet<string>;
  /** The wire ids of tool calls and results, by block key. */
  readonly callIds: ReadonlyMap<string, string>;
}

export function imagePart(image: Extract<WirePart, { type: 'image' }>, { images }: CompletionsConversion): WireImage {
  const base64 = images.get(image.blob);
  if (base64 === undefined) {
    throw failure('request.imageMissing', image);
  }
  return { type: 'image_url', image_url: { url: `data:${image.mimeType};base64,${base64}` } };
}

export function textPart(block: Block, where: string): WireText {
  if (block.part.type !== 'text') {
    throw misplaced(block.part, where);
  }
  return { type: 'text', text: block.part.text, ...mark(block) };
}

/** Returns a single text without a breakpoint as a string, which all servers accept, otherwise a list of parts. */
export function simplest<T extends WireText | WireImage | JsonObject>(parts: readonly T[]): string | readonly T[] {
  const [first] = parts;
  return parts.length === 1 && isText(first) && !isMarked(first) ? first.text : parts;
}

function isText(part: WireText | WireImage | JsonObject | undefined): part is WireText {
  return part?.type === 'text';
}

export function isMarked({ cache_control, prompt_cache_breakpoint }: BreakpointMembers): boolean {
  return cache_control !== undefined || prompt_cache_breakpoint !== undefined;
}

export function mark({ breakpoint }: Block): BreakpointMembers {
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

export function misplaced(part: WirePart, where: string): LoupeError {
  return failure('request.misplacedPart', { format: 'The Chat Completions format', part: part.type, where });
}
