import type {
  AssistantMessage,
  AssistantPart,
  ImagePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserMessage,
} from '../chat/message.js';
import type { Model } from '../run/model.js';
import type { Adaptations } from './adaptations.js';
import type { Block, BlockRole, WirePart, WireResultContent } from './block.js';
import type { BlockFactory } from './blockFactory.js';
import { wirePart } from './wirePart.js';

/** What the model is told when a call has no result: it was stopped, or its host died while it ran. */
export const LOST_RESULT = 'The tool call was interrupted; it has no result. It may or may not have had effects.';

/** A result in the log: part `index` of a message. */
export interface LocatedResult {
  readonly messageId: string;
  readonly index: number;
  readonly part: ToolResultPart;
}

/**
 * Turns the parts of messages into blocks in a form that one model takes, and counts what that changes: reasoning
 * that is not the model's own, or not written after what stands before it now, is left out, images that it does not take or whose bytes are missing become a note,
 * and for a model without tools calls and results become text. For one request only.
 */
export class AdaptedParts {
  readonly #model: Model;
  readonly #missingImages: ReadonlySet<string>;
  readonly #factory: BlockFactory;
  #reasoningLeftOut = 0;
  #reasoningOutdated = 0;
  #imagesLeftOut = 0;
  #toolPartsAsText = 0;

  constructor(model: Model, missingImages: ReadonlySet<string>, factory: BlockFactory) {
    this.#model = model;
    this.#missingImages = missingImages;
    this.#factory = factory;
  }

  get adaptations(): Adaptations {
    return {
      reasoningLeftOut: this.#reasoningLeftOut,
      reasoningOutdated: this.#reasoningOutdated,
      imagesLeftOut: this.#imagesLeftOut,
      toolPartsAsText: this.#toolPartsAsText,
    };
  }

  user(message: UserMessage): Block[] {
    return message.parts.flatMap((part, index) => {
      const note = part.type === 'image' ? this.#noteFor(part) : null;
      return note === null
        ? orNone(this.#factory.messageBlock(message.id, index, 'user', part))
        : [this.#snapshot(`noImage:${message.id}/${String(index)}`, 'user', note)];
    });
  }

  /** `isBound` tells whether what stands before the message now is what it was written after. */
  assistant(message: AssistantMessage, isBound: () => boolean): Block[] {
    const blocks: Block[] = [];
    for (const [index, part] of message.parts.entries()) {
      // To the reasoning behind it, a part that is missing or sent as text is a change as well.
      const isUnchanged = (): boolean =>
        blocks.length === index && blocks.every(({ source }) => source.from === 'message') && isBound();
      if (part.type !== 'reasoning' || this.#replays(part, isUnchanged)) {
        blocks.push(...this.#said(message, index, part));
      }
    }
    return blocks;
  }

  #replays(part: ReasoningPart, isUnchanged: () => boolean): boolean {
    if (part.protocol !== this.#model.protocol || part.model !== this.#model.ref.model) {
      this.#reasoningLeftOut += 1;
      return false;
    }
    const replay = this.#model.capabilities.reasoningReplay;
    if (replay !== 'samePrefix' || part.opaque === null || isUnchanged()) {
      return replay !== 'never';
    }
    this.#reasoningOutdated += 1;
    return false;
  }

  #said(message: AssistantMessage, index: number, part: AssistantPart): Block[] {
    if (part.type === 'toolCall' && !this.#model.capabilities.tools) {
      this.#toolPartsAsText += 1;
      return [this.#snapshot(`callText:${message.id}/${String(index)}`, 'assistant', callText(part))];
    }
    return orNone(this.#factory.messageBlock(message.id, index, 'assistant', part));
  }

  /** The answer to a call: the result that was logged, or, without one, that it was lost. */
  result(message: AssistantMessage, call: ToolCallPart, located: LocatedResult | undefined): Block[] {
    if (!this.#model.capabilities.tools) {
      this.#toolPartsAsText += 1;
      return this.#resultAsText(message, call, located);
    }
    if (located === undefined) {
      return [this.#snapshot(`lostResult:${message.id}/${call.id}`, 'tool-results', lostResult(call))];
    }
    const { messageId, index, part } = located;
    const content = part.content.map((item) => (item.type === 'image' ? (this.#noteFor(item) ?? item) : item));
    if (content.every((item, at) => item === part.content[at])) {
      return orNone(this.#factory.messageBlock(messageId, index, 'tool-results', part));
    }
    const wire = wirePart({ ...part, content });
    return wire === null ? [] : [this.#snapshot(`noImage:${messageId}/${String(index)}`, 'tool-results', wire)];
  }

  /** A result as the user's words, its images after them. */
  #resultAsText(message: AssistantMessage, call: ToolCallPart, located: LocatedResult | undefined): Block[] {
    const key = `resultText:${message.id}/${call.id}`;
    const wire = located === undefined ? lostResult(call) : wirePart(located.part);
    if (wire?.type !== 'toolResult') {
      return [];
    }
    const content = wire.content.map((item) => (item.type === 'image' ? (this.#noteFor(item) ?? item) : item));
    const images = content.filter((item) => item.type === 'image');
    return [
      this.#snapshot(key, 'user', resultText(wire, content)),
      ...images.map((image, index) => this.#snapshot(`${key}/${String(index)}`, 'user', image)),
    ];
  }

  /** What stands in the place of an image; null when the image itself does. */
  #noteFor(image: Pick<ImagePart, 'blob' | 'mimeType'>): TextPart | null {
    const isMissing = this.#missingImages.has(image.blob);
    if (this.#model.capabilities.images && !isMissing) {
      return null;
    }
    this.#imagesLeftOut += 1;
    const reason = this.#model.capabilities.images ? 'its bytes are missing' : 'the model takes no images';
    return { type: 'text', text: `(An image, ${image.mimeType}, is left out: ${reason}.)` };
  }

  #snapshot(key: string, role: BlockRole, part: WirePart): Block {
    return this.#factory.snapshotBlock(key, role, 'conversation', part);
  }
}

function orNone(block: Block | null): Block[] {
  return block === null ? [] : [block];
}

type WireResult = Extract<WirePart, { readonly type: 'toolResult' }>;

function lostResult({ id: callId, name }: ToolCallPart): WireResult {
  return { type: 'toolResult', callId, name, content: [{ type: 'text', text: LOST_RESULT }], isError: true };
}

function callText({ name, rawArgs }: ToolCallPart): TextPart {
  const args = rawArgs.trim();
  return { type: 'text', text: `(Called the tool ${name}${args === '' ? '' : ` with ${args}`}.)` };
}

function resultText({ name, isError }: WireResult, content: readonly WireResultContent[]): TextPart {
  const text = content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
  const verb = isError ? 'failed' : 'answered';
  return { type: 'text', text: text === '' ? `(The tool ${name} ${verb}, without a text.)` : `(The tool ${name} ${verb}:)\n${text}` };
}
