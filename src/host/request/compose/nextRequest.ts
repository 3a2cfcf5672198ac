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
import type { ComposedRequest } from '../composed.js';
import type { RequestExtras } from './readInputs.js';
import { mayHaveRoom, type RequestComposer } from './requestComposer.js';
import { SendFirst } from './sendFirst.js';

export interface RequestedChat {
  readonly state: ChatState;
  whole(): Promise<WholeChat>;
}

/**
 * Checks a request before it is sent. Rejects with the reason when the request must not be sent. Resolves to true when
 * Loupe has asked the user. The caller must then compose and check again: the chat may have changed meanwhile.
 */
export type RunCheck = (composed: ComposedRequest, state: ChatState, signal: AbortSignal) => Promise<boolean>;

/** The work that may be needed before a request is sent. */
export interface RequestWork {
  /** Summarizes or drops messages when the conversation is too long to send. Stops when the signal aborts. */
  makeRoom(signal: AbortSignal): Promise<void>;
  /** Returns the check of the spend limits for a run that answers `message`. */
  checkOf(message: UserMessage): RunCheck;
  /** Starts the MCP servers that the chat's tools need, and waits for a limited time. Rejects with `modelGone`. */
  startServers(state: ChatState, signal: AbortSignal): Promise<void>;
  readonly maySpend: MaySpend;
  /** Logs requests that belong to no run. */
  logRequests(requests: readonly SideRequests[]): Promise<void>;
  toolsOf(offered: ChatToolsPorts['offered']): RunTools;
}

/** The tools of MCP servers when the run begins. Later changes do not affect the run. */
type RunCatalog = readonly CatalogItem[];

/** What differs between requests of a chat: new messages, ranking, tools, and whether the request has the draft. */
interface ChatExtras extends Omit<RequestExtras, 'fragments' | 'instruction'> {
  /** Whether the request contains the draft, or the message that the draft became at *Send*. */
  readonly isDraft: boolean;
}

/** Returns a changed state, such as the state before an edited message, to compose a request from. */
export type StateView = (state: ChatState) => ChatState;

/** Composes the next request of one chat as it would be sent now. Reads older messages only if the request has room. */
export class NextRequest {
  readonly #chat: RequestedChat;
  readonly #requests: RequestComposer;
  readonly #work: RequestWork;
  /** Makes previews wait from the start of a run until its first request is sent. */
  readonly sending = new SendFirst();
  /** Fragments of the system prompt by id, in the order in which they were first set. Not stored on disk. */
  readonly #fragments = new Map<string, string>();
  /** The number of messages in the request that was composed last. */
  #messages = 0;
  /** Whether the user has cancelled a read of the whole chat. Previews then use only the loaded messages. */
  #isWholeDeclined = false;

  constructor(chat: RequestedChat, requests: RequestComposer, work: RequestWork) {
    this.#chat = chat;
    this.#requests = requests;
    this.#work = work;
  }

  /** How many messages must be loaded when the chat is opened again, for the panel and the next request. */
  get neededMessages(): number {
    return Math.max(OPENED_MESSAGES, this.#messages);
  }

  get fragments(): readonly SystemPiece[] {
    return [...this.#fragments].map(([id, text]) => ({ key: `fragment:${id}`, text }));
  }

  /** Sets a fragment of the system prompt. A null text removes the fragment. */
  setFragment(id: string, text: string | null): void {
    if (text === null) {
      this.#fragments.delete(id);
    } else {
      this.#fragments.set(id, text);
    }
  }

  /**
   * Returns the functions that prepare the requests of a run for `message`. Catalog items are ranked once per run.
   * `prepare` is the only check of a request: it makes room, asks for approval of the price, or refuses. It rejects as
   * `compose` and `RequestComposer.prepare` do, with errors of the check, and with `cancelled`. `allowed` is called
   * when the first request has passed the check. That request contains the changes that `allowed` makes.
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
      // A request that is too long is not checked: `RequestComposer.prepare` refuses it anyway.
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
    const ranking = await this.#requests.reader.rankSent(messageText(message), this.#chat.state, { signal, maySpend });
    await this.#work.logRequests(ranking.requests);
    return { ranking, tools: await this.#requests.reader.knownTools(this.#chat.state) };
  }

  /** Returns the next request. If the request is too long, shortens the conversation first. */
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

  /** Ranks catalog items by their match with the last of these messages. */
  async #scoresOf(more: readonly UserMessage[]): Promise<readonly Score[]> {
    const last = more.at(-1);
    return last === undefined ? [] : this.#requests.reader.rank(messageText(last), this.#chat.state);
  }

  /** Composes a request. Reads the whole chat if the loaded messages leave room. Rejects as `whole` does. */
  async #compose(view: StateView, asking: ChatExtras): Promise<ComposedRequest> {
    const composed = await this.#composeWhatIsHere(view, asking);
    if (this.#chat.state.extent === 'whole' || !composed.isPartial || !mayHaveRoom(composed)) {
      return composed;
    }
    await this.#chat.whole();
    return this.#composeWhatIsHere(view, asking);
  }

  /**
   * Returns the request with these additional messages. If the user cancels the read of the whole chat, uses only the
   * loaded messages; the real size is then larger.
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
    const state = view(this.#chat.state);
    // A draft that was sent meanwhile is already in the chat, under the same id.
    const last = state.timeline.findLast((item) => item.kind === 'message' && item.message.role === 'user');
    const newMessages = asking.newMessages.filter(({ id }) => last?.kind !== 'message' || id !== last.message.id);
    const extras = { fragments: this.fragments, ...asking, newMessages, instruction: null };
    const composed = await (isDraft ? this.#requests.composeDraft(state, extras) : this.#requests.compose(state, extras));
    this.#messages = composed.messages;
    return composed;
  }
}
