import type { ChatState } from '../../engine/chat/state.js';
import { endOf } from '../../engine/chat/snapshot.js';
import { FIRST_PART } from './history.js';
import { mayHaveRoom, type Composed } from './requests.js';

/**
 * Messages that are composed at first, of those that were read: more than most chats have. Counting all of a long chat
 * that was read back would hold up everything for seconds, only to tell more exactly by how much it is over the budget.
 */
export const COMPOSED_AT_FIRST = 1_024;

export interface ComposePorts {
  /** The chat as far as it was read, as the request is to see it. */
  readonly state: () => ChatState;
  readonly compose: (state: ChatState) => Promise<Composed>;
  /** Reads so many messages more. */
  readonly extend: (messages: number) => Promise<void>;
}

/**
 * The next request, of as much of the end of a chat as it may have room for: of what was not read, so much is read. It
 * is partial only when it is over its budget. Rejects as its ports do.
 */
export async function composeEnd({ state, compose, extend }: ComposePorts): Promise<Composed> {
  let wanted = FIRST_PART;
  for (let length = COMPOSED_AT_FIRST; ; ) {
    const read = state();
    const end = endOf(read, length);
    const composed = await compose(end);
    if (!composed.isPartial || !mayHaveRoom(composed)) {
      return composed;
    }
    if (end === read) {
      await extend(wanted);
      wanted *= 2;
    } else {
      length *= 2;
    }
  }
}
