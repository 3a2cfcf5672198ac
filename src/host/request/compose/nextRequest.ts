import type { SideRequests } from '../../../engine/chat/slices/sideRequests.js';
import type { ChatState, WholeChat } from '../../../engine/chat/state.js';
import { messageText, type UserMessage } from '../../../engine/chat/message/message.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import { failIfAborted, toLoupeError } from '../../../engine/errors.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { SystemPiece } from '../../../engine/request/gather.js';
import type { RunInput } from '../../../engine/run/input.js';
import { OPENED_MESSAGES } from '../../../storage/reading/chatLog.js';
import type { RunTools } from '../../../engine/tools/offered.js';
import type { ChatToolsPorts } from '../../tools/chatTools.js';
import type { MaySpend, Ranking } from '../../context/catalog/meaningRanker.js';
import { mayHaveRoom } from './mayHaveRoom.js';
import type { ComposedRequest } from '../composed.js';
import type { RequestExtras } from './asking.js';
import type { RequestComposer } from './requestComposer.js';
import { SendFirst } from './sendFirst.js';

export interface RequestedChat {
  readonly state: ChatState;
  whole(): Promise<WholeChat>;
}

/**
 * Checks a composed request before it is sent. Rejects with the reason when it must not be sent. Resolves to true when
 * the user was asked: then compose and check again, because the user may have changed its content meanwhile.
 */
export type RunCheck = (composed: ComposedRequest, state: ChatState, signal: AbortSignal) => Promise<boolean>;

/** The work that may be needed before a request is sent. */
export interface RequestWork {
  /** Shortens a conversation that is too long to send, if possible, until the signal aborts. */
  makeRoom(signal: AbortSignal): Promise<void>;
  /** Returns the spend check for the requests of a run that answers `message`. */
  checkOf(message: UserMessage): RunCheck;
  /** Starts the MCP servers of the chat's tools and waits for a limited time. Rejects with `modelGone`. */
  startServers(state: ChatState, signal: AbortSignal): Promise<void>;
  readonly maySpend: MaySpend;
  /** Logs requests outside of runs. */
  logRequests(requests: readonly SideRequests[]): Promise<void>;
  toolsOf(offered: ChatToolsPorts['offered']): RunTools;
}

/** The tools of the workspace's servers at the start of a run. The run keeps them until its end. */
type RunCatalog = readonly CatalogItem[];

/** The members that differ between the requests of a chat. */
interface ChatExtras extends Omit<RequestExtras, 'fragments' | 'instruction'> {
  /** Whether it is the request of the draft, or of its message after *Send*. */
  readonly isDraft: boolean;
}

/** Changes the state that the request is composed from. */
export type StateView = (state: ChatState) => ChatState;

/** The next request of one chat, as it would be sent now. Reads as much of the chat as the request has room for. */
export class NextRequest {
  readonly #chat: RequestedChat;
  readonly #requests: RequestComposer;
  readonly #work: RequestWork;
  /** Held from the start of a run until its first request is sent. Only previews wait. */
  readonly sending = new SendFirst();
  /** The fragments of the system prompt until the extension restarts, in the order in which they were first set. */
  readonly #fragments = new Map<string, string>();
  /** The number of messages in the last composed request. */
  #messages = 0;
  /** Whether the user has cancelled reading the whole chat for a preview. */
  #isWholeDeclined = false;

  constructor(chat: RequestedChat, requests: RequestComposer, work: RequestWork) {
    this.#chat = chat;
    this.#requests = requests;
    this.#work = work;
  }

  /** The number of messages that the next opening of the chat must load, for the panel and the next request. */
  get neededMessages(): number {
    return Math.max(OPENED_MESSAGES, this.#messages);
  }

  get fragments(): readonly SystemPiece[] {
    return [...this.#fragments].map(([id, text]) => ({ key: `fragment:${id}`, text }));
  }

  /** Sets a fragment. Null removes it. */
  setFragment(id: string, text: string | null): void {
    if (text === null) {
      this.#fragments.delete(id);
    } else {
      this.#fragments.set(id, text);
    }
  }

  /**
   * Returns the functions that prepare requests for a run that answers `message`. Catalog items are ranked once for all
   * attempts. The state contains everything that the run has produced so far. This is the only gate of a request: it
   * makes room, asks for approval of the price, or refuses. Rejects as `compose` and `RequestComposer.prepare` do, with
   * errors of the check, and with `cancelled`. Calls `allowed` when the first request has passed; that request includes
   * its changes.
   */
  preparing(message: UserMessage, allowed: (() => Promise<void>) | null): Pick<RunInput, 'prepare' | 'tools'> {
    let begun: Promise<{ readonly ranking: Ranking; readonly tools: RunCatalog }> | null = null;
    let newest: ComposedRequest | null = null;
    const check = this.#work.checkOf(message);
    const fitting = async (signal: AbortSignal): Promise<{ readonly composed: ComposedRequest; readonly made: Ranking['made'] }> => {
      begun ??= this.#begin(message, signal);
      const { ranking, tools } = await begun;
      failIfAborted(signal, 'request.stopped');
      newest = await this.#fitting({ scores: ranking.scores, tools }, signal);
      return { composed: newest, made: ranking.made };
    };
    const checked: typeof fitting = async (signal) => {
      let next = await fitting(signal);
      // `RequestComposer.prepare` refuses a request that is too long. The user is not asked about its price.
      while (next.composed.excess === null && (await check(next.composed, this.#chat.state, signal))) {
        next = await fitting(signal);
      }
      return next;
    };
    let waiting = allowed;
    return {
      prepare: async (attemptId, signal) => {
        let { composed, made } = await checked(signal);
        if (composed.excess === null && waiting !== null) {
          await waiting();
          waiting = null;
          ({ composed, made } = await checked(signal));
        }
        return this.#requests.prepare(composed, this.#chat.state, { attemptId, picks: made });
      },
      tools: this.#work.toolsOf(async (signal) => {
        const { context, onDemand } = newest ?? (await fitting(signal)).composed;
        return { all: context.tools, onDemand };
      }),
    };
  }

  async #begin(message: UserMessage, signal: AbortSignal): Promise<{ readonly ranking: Ranking; readonly tools: RunCatalog }> {
    await this.#work.startServers(this.#chat.state, signal);
    const { maySpend } = this.#work;
    const ranking = await this.#requests.rankSent(messageText(message), this.#chat.state, { signal, maySpend });
    await this.#work.logRequests(ranking.requests);
    return { ranking, tools: await this.#requests.knownTools(this.#chat.state) };
  }

  /** Returns the next request. Makes room for it first, if needed and possible. */
  async #fitting(picking: Pick<RequestExtras, 'scores' | 'tools'>, signal: AbortSignal): Promise<ComposedRequest> {
    const asIs: StateView = (state) => state;
    const asking = { newMessages: [], ...picking, isDraft: true };
    const composed = await this.#compose(asIs, asking);
    if (composed.excess === null) {
      return composed;
    }
    failIfAborted(signal, 'request.stopped');
    await this.#work.makeRoom(signal);
    failIfAborted(signal, 'request.stopped');
    return this.#compose(asIs, asking);
  }

  /** Ranks catalog items by the last of these messages, which are not in the chat yet. */
  async #scoresOf(more: readonly UserMessage[]): Promise<readonly Score[]> {
    const last = more.at(-1);
    return last === undefined ? [] : this.#requests.rank(messageText(last), this.#chat.state);
  }

  /** Reads the whole chat when its loaded end leaves room in the request. Rejects as `whole` does. */
  async #compose(view: StateView, asking: ChatExtras): Promise<ComposedRequest> {
    const composed = await this.#composeWhatIsHere(view, asking);
    if (this.#chat.state.extent === 'whole' || !composed.isPartial || !mayHaveRoom(composed)) {
      return composed;
    }
    await this.#chat.whole();
    return this.#composeWhatIsHere(view, asking);
  }

  /**
   * Returns the request with these additional messages. Uses the loaded end when the user cancels the read; the size is
   * a lower bound then.
   */
  async preview(view: StateView, newMessages: readonly UserMessage[], isDraft: boolean): Promise<ComposedRequest> {
    await this.sending.wait();
    const asking = { newMessages, scores: await this.#scoresOf(newMessages), tools: null, isDraft };
    if (this.#isWholeDeclined) {
      return this.#composeWhatIsHere(view, asking);
    }
    try {
      return await this.#compose(view, asking);
    } catch (thrown) {
      if (toLoupeError(thrown).kind !== 'cancelled') {
        throw thrown;
      }
      this.#isWholeDeclined = true;
      return this.#composeWhatIsHere(view, asking);
    }
  }

  async #composeWhatIsHere(view: StateView, { isDraft, ...asking }: ChatExtras): Promise<ComposedRequest> {
    const extras = { fragments: this.fragments, ...asking, instruction: null };
    const state = view(this.#chat.state);
    const composed = await (isDraft ? this.#requests.composeDraft(state, extras) : this.#requests.compose(state, extras));
    this.#messages = composed.messages;
    return composed;
  }
}
