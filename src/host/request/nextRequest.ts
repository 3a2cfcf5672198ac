import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import type { UserMessage } from '../../engine/chat/message.js';
import { refuseAborted, toLoupeError } from '../../engine/errors.js';
import type { SystemPiece } from '../../engine/request/gather.js';
import type { PreparedRequest } from '../../engine/run/input.js';
import { OPENED_MESSAGES } from '../../storage/chatLog.js';
import { mayHaveRoom, type Composed, type RequestComposer } from './requestComposer.js';

/** The chat whose next request is composed. */
export interface RequestedChat {
  readonly state: ChatState;
  whole(): Promise<WholeChat>;
}

/** Changes the state that the request is composed from. */
export type StateView = (state: ChatState) => ChatState;

/** The next request of one chat, as it would be sent now. Reads as much of the chat as the request has room for. */
export class NextRequest {
  readonly #chat: RequestedChat;
  readonly #requests: RequestComposer;
  readonly #makeRoom: (signal: AbortSignal) => Promise<void>;
  /** The fragments of the system prompt for this activation, in the order in which they were first set. */
  readonly #fragments = new Map<string, string>();
  /** The number of messages in the last composed request. */
  #messages = 0;
  /** Whether the user has cancelled reading the whole chat for a preview. */
  #isWholeDeclined = false;

  /** `makeRoom` shortens a conversation that is too long to be sent, if it can, until the signal aborts. */
  constructor(chat: RequestedChat, requests: RequestComposer, makeRoom: (signal: AbortSignal) => Promise<void>) {
    this.#chat = chat;
    this.#requests = requests;
    this.#makeRoom = makeRoom;
  }

  /** The messages that the next opening of the chat must load, for the panel and the next request. */
  get neededMessages(): number {
    return Math.max(OPENED_MESSAGES, this.#messages);
  }

  /** The fragments as pieces of the system prompt. */
  get fragments(): readonly SystemPiece[] {
    return [...this.#fragments].map(([id, text]) => ({ key: `fragment:${id}`, text }));
  }

  /** Null removes a fragment. */
  setFragment(id: string, text: string | null): void {
    if (text === null) {
      this.#fragments.delete(id);
    } else {
      this.#fragments.set(id, text);
    }
  }

  /**
   * Prepares the request of an attempt of the run. The state holds all that the run has produced: each step is folded
   * before the next one starts. Rejects as `compose` and `RequestComposer.prepare` do, and with `cancelled` when the signal aborts.
   */
  async prepare(attemptId: string, signal: AbortSignal): Promise<PreparedRequest> {
    let composed = await this.compose((state) => state, []);
    if (composed.excess !== null) {
      refuseAborted(signal, 'request.stopped');
      await this.#makeRoom(signal);
      refuseAborted(signal, 'request.stopped');
      composed = await this.compose((state) => state, []);
    }
    return this.#requests.prepare(composed, this.#chat.state, attemptId);
  }

  /** Reads the whole chat when its loaded end leaves room in the request. Rejects as `whole` does. */
  async compose(view: StateView, more: readonly UserMessage[]): Promise<Composed> {
    const composed = await this.#composeWhatIsHere(view, more);
    if (this.#chat.state.extent === 'whole' || !composed.isPartial || !mayHaveRoom(composed)) {
      return composed;
    }
    await this.#chat.whole();
    return this.#composeWhatIsHere(view, more);
  }

  /** As `compose`, but composes the loaded end when the user cancels the read. The size is then the least possible one. */
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
    const composed = await this.#requests.compose(view(this.#chat.state), { fragments: this.fragments, more, instruction: null });
    this.#messages = composed.messages;
    return composed;
  }
}
