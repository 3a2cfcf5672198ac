import type { UserMessage } from '../message.js';
import { saidInMessage } from '../saidInMessage.js';
import { isMessageItem, type BranchState } from '../timeline.js';
import type { BranchEvent } from './branch.js';
import { silent, type Slice } from './slice.js';

export interface QueuedMessage {
  readonly message: UserMessage;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface QueueState {
  /** Messages that run next, by id, in their order. */
  readonly queued: ReadonlyMap<string, QueuedMessage>;
}

export type QueueEvent =
  /** The chat was busy when the message was sent. It leaves the queue when it is logged as a message. */
  | { readonly type: 'message-queued'; readonly message: UserMessage }
  /** The user took it back, or edits it. */
  | { readonly type: 'message-unqueued'; readonly messageId: string };

/** What waits until the chat is free. */
export const queue: Slice<{
  state: QueueState;
  event: QueueEvent;
  json: readonly QueuedMessage[];
  reads: QueueState & BranchState;
  follows: Extract<BranchEvent, { readonly type: 'message' }>;
}> = {
  initial: () => ({ queued: new Map() }),
  events: {
    'message-queued': {
      order: 'slice',
      said: ({ message }) => saidInMessage(message),
      apply: ({ queued, timeline, rewinds }, { message, at }) => {
        // The window that runs it may have been faster than the line that queued it.
        if (![timeline, ...rewinds.values()].some((branch) => branch.some((item) => isMessageItem(item, message.id)))) {
          queued.set(message.id, { message, at });
        }
      },
    },
    'message-unqueued': silent('slice', (state, { messageId }) => void state.queued.delete(messageId)),
  },
  follows: { message: (state, { message }) => void state.queued.delete(message.id) },
  snapshot: (state) => [...state.queued.values()],
  restore: (json) => ({ queued: new Map(json.map((each) => [each.message.id, each])) }),
  exported: (state) =>
    [...state.queued.values()].flatMap(({ message }) => [
      '## You (waiting to be sent)',
      ...message.parts.map((part) => (part.type === 'text' ? part.text : '(image)')),
    ]),
  fork: () => [],
  isUntouched: (state) => state.queued.size === 0,
};
