import type { Groups, Said } from '../gather.js';
import { fromUser, type Placed } from './layout.js';

/** A user message with everything that replies to it, or the summary. Layouts place nothing inside it. */
export interface Exchange {
  readonly units: readonly Placed[];
  /** The keys of the units: ids of messages, or the key of the summary. */
  readonly keys: readonly string[];
  /** Keys of the units that may be empty in a request. */
  readonly blank: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, readonly PlacedCall[]>;
}

/** Groups the summary and the conversation, oldest first. Messages before the first user message join its group. */
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

/** Whether any model gets a part of the message. Reasoning does not count, nor do blank text and calls that leave. */
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

export interface PlacedCall {
  readonly id: string;
  /** Index of the part in its reply. */
  readonly part: number;
  readonly isHeld: boolean;
}

export function placedCalls(said: Said): readonly PlacedCall[] {
  return said.kind === 'user'
    ? []
    : said.message.parts.flatMap((part, at) =>
        part.type === 'toolCall' ? [{ id: part.id, part: at, isHeld: isCallHeld(said, part.id) }] : [],
      );
}

/** Whether a reply is sent with this call and its result. */
export function isCallHeld({ leaving }: Pick<Extract<Said, { readonly kind: 'reply' }>, 'leaving'>, id: string): boolean {
  const state = leaving.get(id);
  return state === undefined || state === 'carried';
}
