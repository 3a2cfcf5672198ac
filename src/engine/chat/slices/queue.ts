import type { UserMessage } from '../message/message.js';
import { messageSearchText } from '../message/said.js';
import { type BranchState, isMessageItem } from '../timeline.js';
import type { BranchEvent } from './branch.js';
import { type Slice, unsearched } from './slice.js';

export interface QueuedMessage {
  readonly message: UserMessage;
  /** When the message was queued, in epoch milliseconds. */
  readonly at: number;
}

export interface QueueState {
  /** Messages that are waiting to be sent, by id, in order. */
  readonly queued: ReadonlyMap<string, QueuedMessage>;
}

export type QueueEvent =
  /** The user sent a message while the chat was busy. The later `message` event removes the message from the queue. */
  | { readonly type: 'message-queued'; readonly message: UserMessage }
  /** The user withdrew or edited the queued message. */
  | { readonly type: 'message-unqueued'; readonly messageId: string };

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
      said: ({ message }) => messageSearchText(message),
      apply: ({ queued, timeline, rewinds }, { message, at }) => {
        // Another VS Code window may have sent the message before this event arrived.
        if (![timeline, ...rewinds.values()].some((branch) => branch.some((item) => isMessageItem(item, message.id)))) {
          queued.set(message.id, { message, at });
        }
      },
    },
    'message-unqueued': unsearched('slice', (state, { messageId }) => void state.queued.delete(messageId)),
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
