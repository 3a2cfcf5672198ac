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

/* Messages and their parts, as stored in the chat log. A changed shape needs a new `LOG_VERSION` (`stamp.ts`). */

interface MessageBase {
  /** Format: `{epoch_ms}-{uuid8}`. */
  readonly id: string;
}

export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly parts: readonly UserPart[];
  /** Id of the participant who wrote the message. Null for the first participant. */
  readonly author: string | null;
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
  /** Id of the attempt that produced the message. The attempt has the manifest, usage and times. */
  readonly attemptId: string;
  /** Index of the last block with a cache breakpoint in the message's request. Null without a breakpoint. */
  readonly cacheControlIndex: number | null;
  /** Whether the user stopped the reply. The message then has only the parts that had arrived. */
  readonly stopped: boolean;
}

export interface ToolResultsMessage extends MessageBase {
  readonly role: 'tool-results';
  readonly parts: readonly ToolResultPart[];
}

/** Messages that are shown but never part of a later request: titles, and the requests for titles and summaries. */
export interface HousekeepingMessage extends MessageBase {
  readonly role: 'system-title' | 'title' | 'system-summary';
  readonly text: string;
}

/** A summary. Requests send it instead of the messages that its `compacted` event names. */
export interface SummaryMessage extends MessageBase {
  readonly role: 'summary';
  readonly text: string;
}

/** Records an edit, a retry or a restored branch. The panel shows current totals; `totals` may be outdated. */
export interface AccountingMessage extends MessageBase {
  readonly role: 'accounting';
  readonly reason: RewindReason;
  readonly discardedMessages: number;
  readonly totals: UsageTotals;
  /** Id of the rewind that the button *Restore* or *Undo* takes back. */
  readonly rewindId: string;
  /** Usage of the attempts on the discarded branch. Missing in logs of earlier versions of Loupe. */
  readonly discarded?: UsageTotals;
  /** Present if the reply before the edit or retry had ended early. */
  readonly isAfterError?: true;
}

export type RewindReason = 'edited' | 'retried' | 'broughtBack';

export type Message = UserMessage | AssistantMessage | ToolResultsMessage | HousekeepingMessage | SummaryMessage | AccountingMessage;

/** Messages that requests contain under the same role. A summary is not included: it is sent as a user block. */
export type SentMessage = UserMessage | AssistantMessage | ToolResultsMessage;

export function isSent(message: Message): message is SentMessage {
  return message.role === 'user' || message.role === 'assistant' || message.role === 'tool-results';
}

/** Returns whether a person or a model wrote the message, unlike tool results and notes about the chat. */
export function isConversation(message: Message): boolean {
  return message.role === 'user' || message.role === 'assistant';
}

export interface WrittenContent {
  readonly text: string;
  readonly images: readonly ImagePart[];
}

/** Returns the parts of a user message. Empty if the user wrote no text and added no images. */
export function writtenParts({ text, images }: WrittenContent): readonly UserPart[] {
  return [...(text.trim() === '' ? [] : [{ type: 'text', text } as const]), ...images];
}

/** Returns the parts of a message after the user's edit, in their original order. */
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

/** Returns the texts of a message. A text stored as a blob is replaced by its preview. */
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

/** Returns the texts of a message, joined by blank lines, for previews, *Copy* and the API. */
export function messageText(message: Message): string {
  const texts = message.role === 'assistant' ? textsOf(joinedTexts(message.parts)) : messageTexts(message);
  return texts.join('\n\n');
}

/** Two text parts form one line if the first ends with a space, or the second begins with a space or punctuation. */
const SEAM = /[^\S\n]$/;
const GOES_ON = /^(?:\s|[.,;:?)\]]|!(?!\[))/;

/**
 * Joins text parts of a reply for display. Older versions of Loupe stored a text with citations in several parts. The
 * indexes of parts in the log do not apply to the joined parts.
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

/** Returns the texts of a message for a list, or *(image)* for a message with only images. */
export function listedText(message: Message): string {
  const text = messageText(message);
  if (text !== '' || (message.role !== 'user' && message.role !== 'assistant')) {
    return text;
  }
  return message.parts.flatMap((part) => (part.type === 'image' ? [contentText(part)] : [])).join(' ');
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

export function loadedText({ name }: ToolReference): string {
  return `The tool ${name} is loaded.`;
}

/** Returns whether a result in the message loaded tools on demand. */
export function loadsTools(message: Message): boolean {
  return message.role === 'tool-results' && message.parts.some(({ content }) => content.some(({ type }) => type === 'toolReference'));
}

export function callsTools(message: Message): message is AssistantMessage {
  return message.role === 'assistant' && message.parts.some(({ type }) => type === 'toolCall');
}

/** Returns the tool result as text. A text stored as a blob is replaced by its preview. */
export function contentText(content: ToolResultContent): string {
  return textsOf([content])[0] ?? '(image)';
}

export function toolCallsOf({ parts }: AssistantMessage): ToolCallPart[] {
  return parts.filter((part) => part.type === 'toolCall');
}
