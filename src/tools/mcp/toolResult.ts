import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ToolResultContent } from '../../engine/model/part.js';
import type { ToolCallOptions, ToolOutcome } from '../../engine/ports.js';
import { isImageType } from '../../engine/model/imageRules.js';
import { noImageText, type ToolImage, toolImage } from '../imageHeader.js';
import { sizeText } from './limits.js';

/**
 * Maximum number of parts in a result, after joining neighboring texts. The log has an entry for each part. If a result
 * has too many images, a provider refuses all later requests of the chat.
 */
const MOST_PARTS = 100;

/** Converts a result for the model, and cuts it at `mostBytes`. Rejects with `storage` if an image cannot be stored. */
export async function toOutcome(
  result: CallToolResult,
  { mostBytes, keepBlob }: { readonly mostBytes: number } & Pick<ToolCallOptions, 'keepBlob'>,
): Promise<ToolOutcome> {
  const pieces = result.content.map(piece);
  const { structuredContent } = result;
  // Servers usually repeat structured content as text. So Loupe uses it only in a result without other content.
  if (pieces.length === 0 && structuredContent !== undefined) {
    pieces.push({ text: JSON.stringify(structuredContent) });
  }
  const cut = new ByteBudget(mostBytes);
  const content: ToolResultContent[] = [];
  const few = pieces.length > MOST_PARTS ? joined(pieces) : pieces;
  for (const each of few.slice(0, MOST_PARTS)) {
    const whole = 'text' in each ? each : await checked(each);
    if ('text' in whole) {
      const text = cut.text(whole.text);
      content.push(...(text === '' && whole.text !== '' ? [] : [{ type: 'text', text } as const]));
    } else if (cut.bytes(whole.bytes.length)) {
      const { bytes, image } = whole;
      content.push({ type: 'image', blob: await keepBlob(bytes), bytes: bytes.length, ...image });
    }
  }
  const notes = [cut.note(), few.length > MOST_PARTS ? partsNote(few.length) : null].filter((note) => note !== null);
  return { content: [...content, ...notes.map((text) => ({ type: 'text', text }) as const)], isError: result.isError === true };
}

function joined(pieces: readonly ResultPiece[]): readonly ResultPiece[] {
  const fewer: ResultPiece[] = [];
  for (const each of pieces) {
    const last = fewer.at(-1);
    if (last !== undefined && 'text' in last && 'text' in each) {
      fewer[fewer.length - 1] = { text: `${last.text}\n${each.text}` };
    } else {
      fewer.push(each);
    }
  }
  return fewer;
}

function partsNote(parts: number): string {
  return `[Loupe cut this result: it had ${parts.toLocaleString('en')} texts and images, and at most ${String(MOST_PARTS)} are kept.]`;
}

export function failedOutcome(message: string): ToolOutcome {
  return { content: [{ type: 'text', text: message }], isError: true };
}

interface TextPiece {
  readonly text: string;
}

/** An image as the server sent it, with the type that the server names. */
interface ImagePiece {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

type ResultPiece = TextPiece | ImagePiece;

async function checked({ bytes, mimeType }: ImagePiece): Promise<TextPiece | { readonly bytes: Uint8Array; readonly image: ToolImage }> {
  const image = await toolImage(bytes);
  return image === null ? { text: noImageText(mimeType, bytes.length) } : { bytes, image };
}

function piece(block: ContentBlock): ResultPiece {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
      return imagePiece(block.data, block.mimeType);
    case 'audio':
      return {
        text: `(audio, ${block.mimeType}, ${sizeText(Buffer.byteLength(block.data, 'base64'))}: models of this chat take no sound)`,
      };
    case 'resource':
      return resourcePiece(block.resource);
    case 'resource_link':
      return { text: linkText(block) };
  }
}

export function linkText({ title, name, uri, description }: Extract<ContentBlock, { type: 'resource_link' }>): string {
  return [`${title ?? name}: ${uri}`, description ?? ''].filter((line) => line !== '').join('\n');
}

export function resourceText({ uri, text }: { readonly uri: string; readonly text: string }): string {
  return `${uri}\n${text}`;
}

function imagePiece(base64: string, mimeType: string): ImagePiece {
  return { bytes: Buffer.from(base64, 'base64'), mimeType };
}

function resourcePiece(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): ResultPiece {
  if ('text' in resource) {
    return { text: resourceText(resource) };
  }
  const mimeType = resource.mimeType ?? 'unknown type';
  return isImageType(mimeType)
    ? imagePiece(resource.blob, mimeType)
    : { text: `${resource.uri}\n(${mimeType}, ${sizeText(Buffer.byteLength(resource.blob, 'base64'))}: no text)` };
}

/** Limits content to a number of bytes. Also measures the size of all content. */
class ByteBudget {
  readonly #most: number;
  #kept = 0;
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the beginning of a text that fits into the limit. */
  text(text: string): string {
    const length = Buffer.byteLength(text);
    this.#all += length;
    const room = this.#most - this.#kept;
    if (length <= room) {
      this.#kept += length;
      return text;
    }
    const begin = Buffer.from(text).subarray(0, room).toString('utf8');
    // Removes the replacement character of a last character that the cut has split.
    const whole = begin.endsWith('\uFFFD') ? begin.slice(0, -1) : begin;
    // Lets no later text fit, because a later text would look like a continuation of the cut text.
    this.#kept = this.#most;
    return whole;
  }

  bytes(length: number): boolean {
    this.#all += length;
    const hasRoom = length <= this.#most - this.#kept;
    this.#kept += hasRoom ? length : 0;
    return hasRoom;
  }

  note(): string | null {
    return this.#all <= this.#most
      ? null
      : `[Loupe cut this result: it had ${sizeText(this.#all)}, and at most ${sizeText(this.#most)} are kept.]`;
  }
}
