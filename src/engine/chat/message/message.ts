import type {
  AssistantPart,
  ImagePart,
  Part,
  TextPart,
  ToolCallPart,
  ToolReference,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../../model/part.js';
import type { UsageTotals } from '../../model/usage.js';

/*
 * Messages and their parts, as the chat log keeps them. Their shapes are part of the log format: a changed shape needs a
 * new `LOG_VERSION` (see `stamp.ts`).
 */

interface MessageBase {
  /** `{epoch_ms}-{uuid8}`. */
  readonly id: string;
}

export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly parts: readonly UserPart[];
  /** Participant id; null while the chat has one author. */
  readonly author: string | null;
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
  /** The attempt that produced the message; it has the request context, manifest, usage and times. */
  readonly attemptId: string;
  /** Index of the last block with a cache breakpoint in the request; null without a breakpoint. */
  readonly cacheControlIndex: number | null;
  /** True when the user stopped the reply: then the parts are what had arrived. */
  readonly stopped: boolean;
}

export interface ToolResultsMessage extends MessageBase {
  readonly role: 'tool-results';
  readonly parts: readonly ToolResultPart[];
}

/** Requests and answers that are shown but never sent: titles and the request for a summary. */
export interface HousekeepingMessage extends MessageBase {
  readonly role: 'system-title' | 'title' | 'system-summary';
  readonly text: string;
}

/** A checkpoint: it replaces the messages named by its `compacted` event. */
export interface SummaryMessage extends MessageBase {
  readonly role: 'summary';
  readonly text: string;
}

/** The audit trail of an edit or retry. `totals` are what its writer knew; the panel always shows the ledger's totals. */
export interface AccountingMessage extends MessageBase {
  readonly role: 'accounting';
  readonly reason: RewindReason;
  readonly discardedMessages: number;
  readonly totals: UsageTotals;
  /** The rewind that "Bring back" undoes. */
  readonly rewindId: string;
  /** What the attempts of the branch that was left used. Missing in logs of earlier builds. */
  readonly discarded?: UsageTotals;
  /** Where it is there: the reply that gave way had ended early. */
  readonly isAfterError?: true;
}

export type RewindReason = 'edited' | 'retried' | 'broughtBack';

export type Message = UserMessage | AssistantMessage | ToolResultsMessage | HousekeepingMessage | SummaryMessage | AccountingMessage;

/** Messages that requests send in their own role. A summary is sent, too, but as a user block. */
export type SentMessage = UserMessage | AssistantMessage | ToolResultsMessage;

export function isSent(message: Message): message is SentMessage {
  return message.role === 'user' || message.role === 'assistant' || message.role === 'tool-results';
}

/** Messages that a person or a model wrote, as opposed to tool results and notes about the chat. */
export function isConversation(message: Message): boolean {
  return message.role === 'user' || message.role === 'assistant';
}

/** What the user has written: a text, and the images that belong to it. */
export interface WrittenContent {
  readonly text: string;
  readonly images: readonly ImagePart[];
}

/** The parts of a message of the user; none when there is neither text nor image. */
export function writtenParts({ text, images }: WrittenContent): readonly UserPart[] {
  return [...(text.trim() === '' ? [] : [{ type: 'text', text } as const]), ...images];
}

/** The parts of a message with what the user makes of it, in the order that it had. */
export function editedParts(message: UserMessage, written: WrittenContent): readonly UserPart[] {
  const { parts } = message;
  const isSameText = written.text === messageText(message);
  const [text = null] = isSameText ? [] : writtenParts({ ...written, images: [] });
  const at = parts.findIndex(({ type }) => type === 'text');
  const kept = parts.filter((part, index) => (part.type === 'text' ? isSameText || index === at : isAmong(part, written.images)));
  const edited = kept.flatMap((part) => (part.type === 'image' || isSameText ? [part] : text === null ? [] : [text]));
  const added = written.images.filter((image) => !isAmong(image, imagesOf(message)));
  return [...(at === -1 && text !== null ? [text] : []), ...edited, ...added];
}

function isAmong({ blob }: ImagePart, images: readonly ImagePart[]): boolean {
  return images.some((image) => image.blob === blob);
}

/** A message that the user of this window has written. */
export function writtenMessage(id: string, parts: readonly UserPart[]): UserMessage {
  return { role: 'user', id, parts, author: null };
}

export function textMessage(id: string, text: string): UserMessage {
  return writtenMessage(id, [{ type: 'text', text }]);
}

export function imagesOf({ parts }: UserMessage): readonly ImagePart[] {
  return parts.filter((part) => part.type === 'image');
}

export function writtenContent(message: UserMessage): WrittenContent {
  return { text: messageText(message), images: imagesOf(message) };
}

/** The texts of a message. A text that is stored as a blob gives its preview. */
export function messageTexts(message: Message): readonly string[] {
  switch (message.role) {
    case 'user':
    case 'assistant':
      return textsOf(message.parts);
    case 'tool-results':
      return textsOf(message.parts.flatMap((part) => part.content));
    case 'system-title':
    case 'title':
    case 'system-summary':
    case 'summary':
      return [message.text];
    case 'accounting':
      return [];
  }
}

/** The texts of a message, joined by blank lines, for previews, "Copy" and the API. */
export function messageText(message: Message): string {
  const texts = message.role === 'assistant' ? textsOf(joinedTexts(message.parts)) : messageTexts(message);
  return texts.join('\n\n');
}

/** Where a text goes on in the middle of a line. */
const SEAM = /[^\S\n]$/;
const GOES_ON = /^(?:\s|[.,;:?)\]]|!(?!\[))/;

/**
 * Parts of a reply as they are shown. Older builds logged a text of the Messages API in the pieces between its citations: two texts with
 * a space or a punctuation mark where they meet are one. Numbers of parts in the log do not count in the result.
 */
export function joinedTexts<P extends { readonly type: string }>(parts: readonly (P | TextPart)[]): (P | TextPart)[] {
  const joined: (P | TextPart)[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (isText(before) && isText(part) && (SEAM.test(before.text) || GOES_ON.test(part.text))) {
      joined.splice(-1, 1, { type: 'text', text: before.text + part.text });
    } else {
      joined.push(part);
    }
  }
  return joined;
}

function isText(part: { readonly type: string } | undefined): part is TextPart {
  return part?.type === 'text';
}

/** The texts of a message for a list; *(image)* for a message that is only images. */
export function listedText(message: Message): string {
  const text = messageText(message);
  return text === '' && message.role === 'user' ? message.parts.map(contentText).join(' ') : text;
}

function textsOf(parts: readonly (Part | ToolResultContent)[]): string[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return [part.text];
      case 'blob':
        return [part.preview];
      case 'toolReference':
        return [loadedText(part)];
      case 'image':
      case 'reasoning':
      case 'toolCall':
      case 'toolResult':
        return [];
    }
  });
}

/** A reference in words. */
export function loadedText({ name }: ToolReference): string {
  return `The tool ${name} is loaded.`;
}

/** Whether a message holds results that have loaded tools. */
export function loadsTools(message: Message): boolean {
  return message.role === 'tool-results' && message.parts.some(({ content }) => content.some(({ type }) => type === 'toolReference'));
}

export function callsTools(message: Message): message is AssistantMessage {
  return message.role === 'assistant' && message.parts.some(({ type }) => type === 'toolCall');
}

/** The content as text. A text that is stored as a blob gives its preview. */
export function contentText(content: ToolResultContent): string {
  return textsOf([content])[0] ?? '(image)';
}

/** The tool calls of a reply, in their order. */
export function toolCallsOf({ parts }: AssistantMessage): ToolCallPart[] {
  return parts.filter((part) => part.type === 'toolCall');
}
