import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import type { UserMessage } from '../../engine/chat/message.js';
import { toLoupeError } from '../../engine/errors.js';
import type { SystemPiece } from '../../engine/request/gather.js';
import { OPENED_MESSAGES } from '../../storage/chatLog.js';
import { mayHaveRoom, type Composed, type Requests } from './requests.js';

/** The chat that the request is made of. */
export interface RequestedChat {
  readonly state: ChatState;
  whole(): Promise<WholeChat>;
}

/** What the request is to see of the chat. */
export type StateView = (state: ChatState) => ChatState;

/** The next request of one chat, as it would be sent now: of as much of the chat as it has room for. */
export class NextRequest {
  readonly #chat: RequestedChat;
  readonly #requests: Requests;
  /** The fragments of the system prompt that were set for this activation, in the order in which they came. */
  readonly #fragments = new Map<string, string>();
  /** Those of the last request that was composed. */
  #messages = 0;
  /** The user does not want the chat read whole for a preview. */
  #isWholeDeclined = false;

  constructor(chat: RequestedChat, requests: Requests) {
    this.#chat = chat;
    this.#requests = requests;
  }

  /** The messages that are shown at first and that the next request holds: what the end of the chat has to have. */
  get neededMessages(): number {
    return Math.max(OPENED_MESSAGES, this.#messages);
  }

  /** Null removes a fragment. */
  setFragment(id: string, text: string | null): void {
    if (text === null) {
      this.#fragments.delete(id);
    } else {
      this.#fragments.set(id, text);
    }
  }

  /** Where the end of the chat leaves the request room for more, all of the chat is read. Rejects as `whole` does. */
  async compose(view: StateView, more: readonly UserMessage[]): Promise<Composed> {
    const composed = await this.#composeWhatIsHere(view, more);
    if (this.#chat.state.extent === 'whole' || !composed.isPartial || !mayHaveRoom(composed)) {
      return composed;
    }
    await this.#chat.whole();
    return this.#composeWhatIsHere(view, more);
  }

  /** The same; when the user does not want to wait for all of the chat, the size is told as the least that it is. */
  async preview(view: StateView, more: readonly UserMessage[]): Promise<Composed> {
    if (this.#isWholeDeclined) {
      return this.#composeWhatIsHere(view, more);
    }
    try {
      return await this.compose(view, more);
    } catch (thrown) {
      if (toLoupeError(thrown).kind !== 'cancelled') {
        throw thrown;
      }
      this.#isWholeDeclined = true;
      return this.#composeWhatIsHere(view, more);
    }
  }

  async #composeWhatIsHere(view: StateView, more: readonly UserMessage[]): Promise<Composed> {
    const pieces = [...this.#fragments].map(([id, text]): SystemPiece => ({ key: `fragment:${id}`, text }));
    const composed = await this.#requests.compose(view(this.#chat.state), pieces, more);
    this.#messages = composed.messages;
    return composed;
  }
}
