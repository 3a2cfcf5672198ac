import type { Groups, Said } from '../gather.js';
import { fromUser, type Placed } from './layout.js';

/**
 * A message of the user with all that answers it; or the summary. Nothing may stand inside it: what a layout places between two
 * messages has its place in front of a message of the user.
 */
export interface Exchange {
  readonly units: readonly Placed[];
  /** The keys of the units: ids of messages, or the key of the summary. */
  readonly keys: readonly string[];
  /** Those of them of which a model may be sent nothing. */
  readonly blank: ReadonlySet<string>;
  /** The tool calls of those that have some. */
  readonly calls: ReadonlyMap<string, readonly PlacedCall[]>;
}

/** The summary and the conversation as exchanges, oldest first. Messages in front of the first one of the user are part of the first. */
export function exchangesOf({ checkpoint, conversation }: Pick<Groups, 'checkpoint' | 'conversation'>): readonly Exchange[] {
  const exchanges: { units: Placed[]; keys: string[]; blank: Set<string>; calls: Map<string, readonly PlacedCall[]> }[] = [];
  for (const said of conversation) {
    const { id } = said.message;
    const isBlank = !hasContent(said);
    let exchange = exchanges.at(-1);
    if (exchange === undefined || (said.kind === 'user' && !isBlank && exchange.keys.length > exchange.blank.size)) {
      exchange = { units: [], keys: [], blank: new Set(), calls: new Map() };
      exchanges.push(exchange);
    }
    exchange.units.push(said);
    exchange.keys.push(id);
    if (isBlank) {
      exchange.blank.add(id);
    }
    const calls = placedCalls(said);
    if (calls.length > 0) {
      exchange.calls.set(id, calls);
    }
  }
  const none = { blank: new Set<string>(), calls: new Map<string, readonly PlacedCall[]>() };
  return checkpoint === null ? exchanges : [{ units: fromUser(checkpoint), keys: [checkpoint.key], ...none }, ...exchanges];
}

/** Whether something of a message is sent to any model: reasoning may be left out; blank text and calls that leave are. */
export function hasContent(said: Said): boolean {
  return said.message.parts.some((part) => {
    switch (part.type) {
      case 'reasoning':
        return false;
      case 'text':
        return part.text.trim() !== '';
      case 'toolCall':
        return said.kind === 'reply' && isCallHeld(said, part.id);
      case 'image':
        return true;
    }
  });
}

/** A tool call of a reply. */
export interface PlacedCall {
  readonly id: string;
  /** Which part of the reply it is. */
  readonly part: number;
  /** Whether the reply is sent with it. */
  readonly isHeld: boolean;
}

/** The tool calls of a message, in their order. */
export function placedCalls(said: Said): readonly PlacedCall[] {
  return said.kind === 'user'
    ? []
    : said.message.parts.flatMap((part, at) =>
        part.type === 'toolCall' ? [{ id: part.id, part: at, isHeld: isCallHeld(said, part.id) }] : [],
      );
}

/** Whether a reply is sent with this call of its own, and its result. */
export function isCallHeld({ leaving }: Pick<Extract<Said, { readonly kind: 'reply' }>, 'leaving'>, id: string): boolean {
  const state = leaving.get(id);
  return state === undefined || state === 'carried';
}
