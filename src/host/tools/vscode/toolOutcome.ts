import type { ToolResultContent } from '../../../engine/model/part.js';
import type { ToolCallOptions } from '../../../engine/ports.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';

/** A part of a result, read by its shape, because extensions may use their own classes. */
interface ResultPart {
  readonly value?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Converts the result of a VS Code tool. Rejects with `storage` when an image cannot be stored. */
export async function toolOutcome(parts: readonly unknown[], { keepBlob }: Pick<ToolCallOptions, 'keepBlob'>): Promise<CallOutcome> {
  const content: ToolResultContent[] = [];
  for (const part of parts) {
    content.push(await partContent(part, keepBlob));
  }
  return { content, isError: false, edits: [] };
}

async function partContent(part: unknown, keepBlob: ToolCallOptions['keepBlob']): Promise<ToolResultContent> {
  const { value, data, mimeType } = (typeof part === 'object' && part !== null ? part : {}) as ResultPart;
  if (typeof value === 'string') {
    return { type: 'text', text: value };
  }
  if (data instanceof Uint8Array && typeof mimeType === 'string') {
    return IMAGE_TYPES.has(mimeType)
      ? { type: 'image', blob: await keepBlob(data), mimeType, bytes: data.length, width: null, height: null }
      : { type: 'text', text: isText(mimeType) ? new TextDecoder().decode(data) : `(${mimeType}, ${String(data.length)} bytes)` };
  }
  return { type: 'text', text: promptText(value) };
}

function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType.endsWith('json');
}

/** Returns the texts in a tree from @vscode/prompt-tsx, in order. Returns other values as JSON. */
function promptText(value: unknown): string {
  const texts: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) {
      return;
    }
    const { text, children, node: inner } = node as { readonly text?: unknown; readonly children?: unknown; readonly node?: unknown };
    if (typeof text === 'string') {
      texts.push(text);
    }
    walk(inner);
    if (Array.isArray(children)) {
      children.forEach(walk);
    }
  };
  walk(value);
  return texts.length > 0 || value === undefined ? texts.join('') : JSON.stringify(value);
}
