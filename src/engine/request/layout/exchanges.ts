import { toolCallsOf } from '../../chat/message.js';
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
  /** Those of them that are sent with tool calls. */
  readonly calling: ReadonlySet<string>;
}

/** The summary and the conversation as exchanges, oldest first. Messages in front of the first one of the user are part of the first. */
export function exchangesOf({ checkpoint, conversation }: Pick<Groups, 'checkpoint' | 'conversation'>): readonly Exchange[] {
  const exchanges: { units: Placed[]; keys: string[]; blank: Set<string>; calling: Set<string> }[] = [];
  for (const said of conversation) {
    const { id } = said.message;
    const isBlank = !hasContent(said);
    let exchange = exchanges.at(-1);
    if (exchange === undefined || (said.kind === 'user' && !isBlank && exchange.keys.length > exchange.blank.size)) {
      exchange = { units: [], keys: [], blank: new Set(), calling: new Set() };
      exchanges.push(exchange);
    }
    exchange.units.push(said);
    exchange.keys.push(id);
    if (isBlank) {
      exchange.blank.add(id);
    }
    if (hasCalls(said)) {
      exchange.calling.add(id);
    }
  }
  const none = { blank: new Set<string>(), calling: new Set<string>() };
  return checkpoint === null ? exchanges : [{ units: fromUser(checkpoint), keys: [checkpoint.key], ...none }, ...exchanges];
}

/** Whether something of a message is sent to any model: reasoning may be left out; blank text and forgotten calls are. */
export function hasContent(said: Said): boolean {
  return said.message.parts.some((part) => {
    switch (part.type) {
      case 'reasoning':
        return false;
      case 'text':
        return part.text.trim() !== '';
      case 'toolCall':
        return hasCalls(said);
      case 'image':
        return true;
    }
  });
}

/** Whether a message is sent with tool calls. */
export function hasCalls(said: Said): boolean {
  return said.kind === 'reply' && said.calls !== 'forgotten' && toolCallsOf(said.message).length > 0;
}
