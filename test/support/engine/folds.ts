import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { ChatFold } from '../../../src/engine/chat/fold.js';
import type { ChatSnapshot } from '../../../src/engine/chat/snapshot.js';

/** Folds a whole log. Throws without its creating event. */
export function foldLog(events: readonly ChatEvent[]): ChatFold {
  const created = events.find((event) => event.type === 'chat-created');
  if (created === undefined) {
    throw new Error('The log has no creating event.');
  }
  return folded(ChatFold.created(created), events);
}

export function foldAfter(snapshot: ChatSnapshot, events: readonly ChatEvent[]): ChatFold {
  return folded(ChatFold.after(snapshot), events);
}

function folded(fold: ChatFold, events: readonly ChatEvent[]): ChatFold {
  for (const event of events) {
    fold.apply(event);
  }
  return fold;
}
