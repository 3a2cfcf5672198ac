import type { AuthorNames } from '../../chat/authors.js';
import type { AssistantMessage, UserMessage } from '../../chat/message/message.js';
import type {
  AssistantPart,
  BlobContent,
  ImagePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolReference,
  ToolResultContent,
} from '../../model/part.js';
import { type ImageLimits, isImageType, isWithin } from '../../model/imageRules.js';
import type { Model } from '../../model/model.js';
import { NO_ADAPTATIONS, type Adaptations } from '../../record/adaptations.js';
import type { Block, BlockRole, WirePart } from '../../model/block.js';
import type { BlockFactory } from '../blockFactory.js';
import type { CallExclusion, LocatedResult } from '../gather.js';
import { isCutForModel, missingResultNote, SENT_RESULT_BYTES, type ResultTexts } from '../resultText.js';
import { withSentName, type ToolNames } from '../../record/toolNames.js';
import { wirePart } from './wirePart.js';

/** The result of a call without a logged result: the call was stopped, or VS Code ended while the tool ran. */
export const LOST_RESULT = 'The tool call was interrupted; it has no result. It may or may not have had effects.';

/** The beginning of the keys of such results. */
export const LOST_RESULT_KEY = 'lostResult:';

/** The texts before the images of a reply, which would otherwise look like images of the user. */
const ONE_REPLY_IMAGE = "(The image of the assistant's reply:)";
const REPLY_IMAGES = "(The images of the assistant's reply:)";

export interface OutsideContents {
  /** Images whose bytes cannot be read, by SHA-256. */
  readonly missingImages: ReadonlySet<string>;
  /** Tool texts that could be read from blobs, by SHA-256. */
  readonly resultTexts: ResultTexts;
}

export interface PartRules extends OutsideContents {
  readonly model: Model;
  readonly toolNames: ToolNames;
  /** Tokens of the definition of each tool that results can load, by the name of the tool in Loupe. */
  readonly loadable: ReadonlyMap<string, number>;
  /** Whether the request defines tools that no longer exist. Reasoning is then not sent: its prefix may change. */
  readonly hasRetiredTools: boolean;
  /** The largest image that the provider accepts in this request. Null when unknown. */
  readonly imageLimits: ImageLimits | null;
}

/**
 * Turns message parts into blocks that one model accepts, and counts the changes. Use one instance per request.
 * - Reasoning of another model, or after a changed prefix, is not sent.
 * - An image becomes a note if it is missing or too large, or if the model does not accept it.
 * - The images of a reply are sent with the next user message.
 * - A missing tool text becomes a note.
 * - Of a very large tool text, only the beginning and the end are sent.
 * - Tool calls and results become text if the model supports no tools.
 * - Of a result with a reference, later turns send only the reference.
 * - A tool reference becomes text if the request does not define the tool on demand. Otherwise providers refuse it.
 */
export class AdaptedParts {
  readonly adaptations: { -readonly [K in keyof Adaptations]: Adaptations[K] } = { ...NO_ADAPTATIONS };
  /** Tokens of each definition that a result has loaded so far, by the name of the tool in Loupe. */
  readonly loaded = new Map<string, number>();
  /** The replies since the last user message. */
  readonly #replies: AssistantMessage[] = [];
  readonly #model: Model;
  readonly #rules: PartRules;
  readonly #factory: BlockFactory;

  constructor(rules: PartRules, factory: BlockFactory) {
    this.#model = rules.model;
    this.#rules = rules;
    this.#factory = factory;
  }

  /**
   * Makes the blocks of a user message: the images of the replies since the last user message, the name of the author
   * if the chat has several authors, then what the user wrote. Call it and `assistant` in the order of the messages.
   */
  user(message: UserMessage, authors: AuthorNames): Block[] {
    const name = authors.get(message.author);
    const images = this.#replies.splice(0).flatMap((reply) => this.#replyImages(reply, message));
    const said = this.#written(message);
    return name === undefined || said.length === 0
      ? [...images, ...said]
      : [...images, this.#snapshot(`author:${message.id}/name`, 'user', { type: 'text', text: `${name}:` }), ...said];
  }

  #written(message: UserMessage): Block[] {
    return message.parts.flatMap((part, index) => {
      const note = part.type === 'image' ? this.#noteFor(part) : null;
      return note === null
        ? orNone(this.#block(message.id, index, 'user', part))
        : [this.#snapshot(`noImage:${message.id}/${String(index)}`, 'user', note)];
    });
  }

  /**
   * Makes the blocks of a reply's images. They begin the next user message, because in Chat Completions only messages
   * of the user have images (`ChatCompletionAssistantMessageParam` of the SDK). `images` of OpenRouter and LiteLLM are
   * documented for responses only. Replies of the Messages API have no images (`ContentBlock` of Anthropic's SDK).
   */
  #replyImages({ id: replyId, parts }: AssistantMessage, before: UserMessage): Block[] {
    const blocks = parts.flatMap((part, index): Block[] => {
      if (part.type !== 'image') {
        return [];
      }
      this.#factory.noteImages(part);
      const key = `replyImage:${before.id}/${replyId}/${String(index)}`;
      return [this.#snapshot(key, 'user', this.#noteFor(part) ?? { type: 'image', blob: part.blob, mimeType: part.mimeType })];
    });
    const label = { type: 'text', text: blocks.length === 1 ? ONE_REPLY_IMAGE : REPLY_IMAGES } as const;
    return blocks.length === 0 ? [] : [this.#snapshot(`replyImage:${before.id}/${replyId}`, 'user', label), ...blocks];
  }

  /**
   * Makes the blocks of a reply without its removed calls (`leaving`). If no call is left, also removes the reasoning.
   * `isBound` returns whether everything before the reply is still the same as when the model wrote the reply.
   */
  assistant(message: AssistantMessage, leaving: ReadonlyMap<string, CallExclusion>, isBound: () => boolean): Block[] {
    this.#replies.push(message);
    const blocks: Block[] = [];
    const ofReasoning = reasoningState(message, leaving);
    for (const [index, part] of message.parts.entries()) {
      const state = part.type === 'toolCall' ? leaving.get(part.id) : part.type === 'reasoning' ? ofReasoning : undefined;
      if (state === 'now' || state === 'later' || part.type === 'image') {
        continue;
      }
      // If an earlier part is not sent, or sent as text, the prefix of later reasoning also changes.
      const isUnchanged = (): boolean => blocks.length === index && blocks.every(({ source }) => source.from === 'message') && isBound();
      if (part.type !== 'reasoning' || this.#replays(part, isUnchanged)) {
        const said = this.#said(message, index, part);
        blocks.push(...(state === 'carried' ? carried(said) : said));
      }
    }
    return blocks;
  }

  #replays(part: ReasoningPart, isUnchanged: () => boolean): boolean {
    if (part.protocol !== this.#model.protocol || part.model !== this.#model.ref.model) {
      this.adaptations.reasoningLeftOut += 1;
      return false;
    }
    const replay = this.#model.capabilities.reasoningReplay;
    if (replay === 'never' || part.opaque === null) {
      return false;
    }
    if (!this.#rules.hasRetiredTools && (replay !== 'samePrefix' || isUnchanged())) {
      return true;
    }
    this.adaptations.reasoningOutdated += 1;
    return false;
  }

  #said(message: AssistantMessage, index: number, part: Exclude<AssistantPart, ImagePart>): Block[] {
    if (part.type === 'toolCall' && !this.#model.capabilities.tools) {
      this.adaptations.toolPartsAsText += 1;
      return [this.#snapshot(`callText:${message.id}/${String(index)}`, 'assistant', callText(part))];
    }
    return orNone(this.#block(message.id, index, 'assistant', part));
  }

  /** Returns the blocks of a call's result, or `LOST_RESULT` if the log has no result. */
  result(message: AssistantMessage, call: ToolCallPart, located: LocatedResult | undefined): Block[] {
    if (!this.#model.capabilities.tools) {
      this.adaptations.toolPartsAsText += 1;
      return this.#resultAsText(message, call, located);
    }
    if (located === undefined) {
      return [this.#snapshot(`${LOST_RESULT_KEY}${message.id}/${call.id}`, 'tool-results', lostResult(call))];
    }
    const { messageId, index, part } = located;
    if (located.form === 'carried') {
      return carried(this.result(message, call, { messageId, index, part }));
    }
    const content = this.#contentOf(located);
    if (content.length === part.content.length && content.every((item, at) => item === part.content[at])) {
      return orNone(this.#block(messageId, index, 'tool-results', part)).map((block) => this.#withLoaded(block, content));
    }
    const wire = wirePart({ ...part, content }, this.#rules.resultTexts);
    const adapted = wire === null ? [] : [this.#snapshot(`adapted:${messageId}/${String(index)}`, 'tool-results', wire)];
    return adapted.map((block) => this.#withLoaded(block, content));
  }

  #withLoaded(block: Block, content: readonly ToolResultContent[]): Block {
    let { tokens } = block;
    for (const item of content) {
      const definition = item.type === 'toolReference' ? this.#rules.loadable.get(item.name) : undefined;
      if (item.type === 'toolReference' && definition !== undefined) {
        this.loaded.set(item.name, definition);
        tokens += definition;
      }
    }
    return tokens === block.tokens ? block : { ...block, tokens };
  }

  /** Returns the content of a result or its reference, with notes in place of items that cannot be sent. */
  #contentOf({ part: { content, reference }, form }: Pick<LocatedResult, 'part' | 'form'>): readonly ToolResultContent[] {
    if (form === 'reference' && reference !== undefined) {
      return [{ type: 'text', text: reference }];
    }
    return content.map((item) => {
      switch (item.type) {
        case 'image':
          return this.#noteFor(item) ?? item;
        case 'blob':
          return this.#missingNote(item) ?? item;
        case 'text':
          this.adaptations.resultsCut += isCutForModel(item.text) ? 1 : 0;
          return item;
        case 'toolReference':
          return this.#rules.loadable.has(item.name) ? item : notLoaded(item);
      }
    });
  }

  /** Returns the note for a missing blob, or null when its text can be sent, whole or in part. */
  #missingNote(content: BlobContent): TextPart | null {
    if (this.#rules.resultTexts.has(content.blob)) {
      this.adaptations.resultsCut += content.bytes > SENT_RESULT_BYTES ? 1 : 0;
      return null;
    }
    this.adaptations.resultsMissing += 1;
    return { type: 'text', text: missingResultNote(content) };
  }

  #resultAsText(message: AssistantMessage, call: ToolCallPart, located: LocatedResult | undefined): Block[] {
    const key = `resultText:${message.id}/${call.id}`;
    const wire = located === undefined ? lostResult(call) : this.#adapted(located);
    if (wire?.type !== 'toolResult') {
      return [];
    }
    const images = wire.content.filter((item) => item.type === 'image');
    return [
      this.#snapshot(key, 'user', resultText(wire)),
      ...images.map((image, index) => this.#snapshot(`${key}/${String(index)}`, 'user', image)),
    ];
  }

  #adapted(located: LocatedResult): WirePart | null {
    return wirePart({ ...located.part, content: this.#contentOf(located) }, this.#rules.resultTexts);
  }

  /** Returns the note that replaces an image, or null when the image can be sent. */
  #noteFor(image: ImagePart): TextPart | null {
    const { images } = this.#model.capabilities;
    const { imageLimits } = this.#rules;
    const isMissing = this.#rules.missingImages.has(image.blob);
    const isReadable = images && !isMissing && isImageType(image.mimeType);
    const isTooLarge = isReadable && !isWithin(image, imageLimits);
    if (isReadable && !isTooLarge) {
      return null;
    }
    if (isTooLarge) {
      this.adaptations.imagesTooLarge = (this.adaptations.imagesTooLarge ?? 0) + 1;
    } else {
      this.adaptations.imagesLeftOut += 1;
    }
    const other = isMissing ? 'its bytes are missing' : 'models do not take this format';
    const reason = isTooLarge ? 'it is larger than the model accepts' : images ? other : 'the model takes no images';
    return { type: 'text', text: `(An image, ${image.mimeType}, is left out: ${reason}.)` };
  }

  #block(messageId: string, index: number, role: BlockRole, part: Part): Block | null {
    const { resultTexts, toolNames } = this.#rules;
    const block = this.#factory.messageBlock({ messageId, index, role, part }, resultTexts);
    const sent = block === null ? null : withSentName(block.part, toolNames);
    return block === null || sent === null || sent === block.part ? block : this.#factory.changedBlock(block, sent);
  }

  #snapshot(key: string, role: BlockRole, part: WirePart): Block {
    return this.#factory.snapshotBlock({ key, role, category: 'conversation', item: null }, withSentName(part, this.#rules.toolNames));
  }
}

/** Returns how the reasoning of a reply is excluded: with the reply's last call. Undefined while a call is sent. */
function reasoningState({ parts }: AssistantMessage, leaving: ReadonlyMap<string, CallExclusion>): CallExclusion | undefined {
  const states = parts.flatMap((part) => (part.type === 'toolCall' ? [leaving.get(part.id)] : []));
  return states.includes(undefined) ? undefined : (states.find((state) => state === 'carried') ?? states[0]);
}

export function carried(blocks: readonly Block[]): Block[] {
  return blocks.map((block) => ({ ...block, form: 'carried' }));
}

function notLoaded({ name }: ToolReference): TextPart {
  return { type: 'text', text: `(The tool ${name} was loaded here.)` };
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

function resultText({ name, isError, content }: WireResult): TextPart {
  const text = content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
  const verb = isError ? 'failed' : 'answered';
  return { type: 'text', text: text === '' ? `(The tool ${name} ${verb}, without a text.)` : `(The tool ${name} ${verb}:)\n${text}` };
}
