import { isDeepStrictEqual } from 'node:util';
import { nextAuthor, withJoined } from '../../engine/chat/authors.js';
import { findMessage, stateBefore } from '../../engine/chat/branch.js';
import { messageText, type UserMessage, writtenMessage } from '../../engine/chat/message/message.js';
import { WORKSPACE_TEXT } from '../../engine/chat/slices/fragments.js';
import type { Participant } from '../../engine/chat/slices/participants.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ModelRef } from '../../engine/model/modelRef.js';
import type { Clock } from '../../engine/ports.js';
import type { LongPart } from '../../engine/request/workspace.js';
import { OPENED_MESSAGES } from '../../storage/reading/chatLog.js';
import { extensionPart } from '../context/editorState/editorParts.js';
import type { EditorState } from '../context/editorState/editorState.js';
import type { BackgroundCount } from '../../engine/next/backgroundCount.js';
import type { RequestExtras } from '../../engine/next/chatInputs.js';
import type { RequestComposer } from '../request/compose/requestComposer.js';
import { mayHaveRoom } from '../../engine/next/room.js';
import { lastPicks } from '../../engine/request/base.js';
import { changedInputs } from '../../engine/next/inputs.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { type DraftToPreview, draftMessages, NO_ID } from './drafts.js';
import type { ChatFragments } from './sessionFiles/chatFragments.js';
import { SendFirst } from './runs/sendFirst.js';
import type { SessionLog } from './sessionLog.js';
import { type ShownNext, ShownRequests, type ShownRequestsPorts } from './shownNext.js';

/** Delay in ms after the last change before the next request is composed, so that not every key press recomputes it. */
const PREVIEW_DELAY_MS = 100;

/** Delay in ms from the expiry of the cache to a new preview, which then has another price. */
const AFTER_EXPIRY_MS = 1_000;

interface NextChat {
  readonly state: ChatState;
  readonly conversation: { readonly isRunning: boolean; reachMessage(id: string): Promise<void> };
  whole(): Promise<WholeChat>;
}

export interface ChatNextPorts extends Pick<ShownRequestsPorts, 'catalog'> {
  readonly log: Pick<SessionLog, 'deletedBy' | 'onChange' | 'changed'>;
  readonly composer: RequestComposer;
  readonly fragments: Pick<ChatFragments, 'pieces'>;
  readonly counting: Pick<BackgroundCount, 'want'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly me: () => Promise<Participant | null>;
  readonly editor: Pick<EditorState, 'read'>;
}

/** Returns a changed state, such as the state before an edited message, to compose a request from. */
export type StateView = (state: ChatState) => ChatState;

const asItIs: StateView = (state) => state;

/** What differs between requests of a chat, such as new messages, the editor state and whether it has the draft. */
type ChatExtras = Omit<RequestExtras, 'fragments'>;

const NO_DRAFT: DraftToPreview = { text: '', images: [], editing: null, messageId: null };

/** What a request has that is made only from what is in the chat. */
const NOTHING_NEW: ChatExtras = {
  newMessages: [],
  scores: [],
  workspace: [],
  tools: null,
  instruction: null,
  at: null,
  isDraft: false,
};

/** The next request of one chat, as it would be sent now. Reads older messages only if the request has room. */
export class ChatNext {
  /** Makes previews wait from the start of a run until its first request is sent. */
  readonly sending = new SendFirst();
  readonly #chat: NextChat;
  readonly #ports: ChatNextPorts;
  readonly #requests: ShownRequests;
  /** Returns the draft, for each view that shows the next request. */
  readonly #watching = new Set<() => DraftToPreview>();
  #shown: ShownNext | LoupeError | null = null;
  /** Whether no input has changed since `#shown` was composed. */
  #isCurrent = false;
  #timer: NodeJS.Timeout | undefined;
  /** The number of changes of the inputs that Loupe has noticed. */
  #changes = 0;
  /** The preview that is being composed. Callers with the same draft get the same promise. */
  #composing: { readonly draft: DraftToPreview; readonly changes: number; readonly answer: Promise<ComposedRequest> } | null = null;
  /** The last preview of the draft, until the draft is sent. */
  #previewed: ComposedRequest | null = null;
  #changedInputs: readonly string[] = [];
  /** The number of messages in the request that was composed last. */
  #messages = 0;
  /** Whether the user has cancelled a read of the whole chat. Previews then use only the loaded messages. */
  #isWholeDeclined = false;

  constructor(chat: NextChat, ports: ChatNextPorts) {
    this.#chat = chat;
    this.#ports = ports;
    this.#requests = new ShownRequests(ports);
    ports.log.onChange((change) => {
      if (change === 'state') {
        this.inputsChanged();
      }
    });
  }

  /** How many messages must be loaded when the chat is opened again, for the panel and the next request. */
  get neededMessages(): number {
    return Math.max(OPENED_MESSAGES, this.#messages);
  }

  /** The next request of a watched chat, or why it cannot be composed. Null before the first request. */
  get shown(): ShownNext | LoupeError | null {
    return this.#shown;
  }

  /** The inputs that changed between the last preview of a message and its request. Empty after the report `sent`. */
  get changedInputs(): readonly string[] {
    return this.#changedInputs;
  }

  /** Composes the request with `draft` after each change, and reports it as `next`. Returns a function to end this. */
  watch(draft: () => DraftToPreview): () => void {
    this.#watching.add(draft);
    this.inputsChanged();
    return () => {
      this.#watching.delete(draft);
      if (this.#watching.size === 0) {
        clearTimeout(this.#timer);
        this.#shown = null;
        this.#isCurrent = false;
      }
    };
  }

  /** Call this when something has changed that affects the next request. */
  inputsChanged(): void {
    this.#changes += 1;
    this.#isCurrent = false;
    this.#composeIn(PREVIEW_DELAY_MS);
  }

  #composeIn(ms: number): void {
    clearTimeout(this.#timer);
    const [draft] = this.#watching;
    if (draft !== undefined) {
      this.#timer = setTimeout(() => void this.#show(draft), ms).unref();
    }
  }

  async #show(draft: () => DraftToPreview): Promise<void> {
    const changes = this.#changes;
    const shown = await this.shownWith(draft()).catch(toLoupeError);
    if (changes !== this.#changes || this.#watching.size === 0) {
      return;
    }
    this.#shown = shown;
    this.#isCurrent = true;
    this.#ports.log.changed('next');
    const expiresAt = 'composed' in shown ? (shown.composed.forecast?.expiresAt ?? null) : null;
    if (expiresAt !== null) {
      this.#composeIn(Math.max(0, expiresAt - this.#ports.clock.now()) + AFTER_EXPIRY_MS);
    }
  }

  /** Returns the next request with a draft, with what views show with it. Rejects as `preview` does. */
  async shownWith(draft: DraftToPreview): Promise<ShownNext> {
    const composed = await this.preview(draft);
    return this.#requests.shown(this.#chat.state, { draft, composed });
  }

  /**
   * Returns the next request with a draft. With `editing`, the draft replaces that message and all later messages.
   * Calls with the same draft before the next change share one request. If the user cancels the read of the whole chat,
   * uses only the loaded messages; the real size is then larger. Rejects with `modelGone`, and as `whole` does.
   */
  preview(written: Pick<DraftToPreview, 'text' | 'editing'> & Partial<DraftToPreview>): Promise<ComposedRequest> {
    const draft = { images: [], messageId: null, ...written };
    const running = this.#composing;
    if (running?.changes === this.#changes && isDeepStrictEqual(running.draft, draft)) {
      return running.answer;
    }
    const answer = this.#preview(draft).finally(() => {
      this.#composing = this.#composing?.answer === answer ? null : this.#composing;
    });
    this.#composing = { draft, changes: this.#changes, answer };
    return answer;
  }

  async #preview({ editing, ...written }: DraftToPreview): Promise<ComposedRequest> {
    const { messageId } = written;
    const { conversation } = this.#chat;
    if (editing !== null) {
      await conversation.reachMessage(editing);
    }
    const view: StateView = editing === null ? asItIs : (state) => stateBefore(state, editing);
    const newMessages = draftMessages(written, editing === null ? null : findMessage(this.#chat.state, editing));
    const composed = await this.#ask(view, newMessages, messageId !== null);
    // Keeps the preview of a message until its request is sent, which a question about its price can delay.
    if (messageId !== null && !this.sending.isHeld) {
      // Null for a draft that was sent meanwhile, and for the empty draft that follows a queued message.
      const isUnsent = composed.answered === messageId && !isNewest(messageId, this.#chat.state);
      this.#previewed = isUnsent ? composed : null;
      this.#changedInputs = [];
    }
    // Does not count during a reply: the next request is unknown, and the reply will report the provider's counts.
    // A preview of another text, such as one for another extension, does not cancel the count of the draft.
    if (messageId !== null) {
      const isCounted = !conversation.isRunning && this.#ports.log.deletedBy === null && !composed.isPartial;
      this.#ports.counting.want(isCounted ? composed.countable : null);
    }
    return composed;
  }

  /** Returns the request that a panel shows with this draft while it is current. Otherwise works like `preview`. */
  current(draft: DraftToPreview): Promise<ComposedRequest> {
    const shown = this.#currentShown();
    return shown !== null && isDeepStrictEqual(shown.draft, draft) ? Promise.resolve(shown.composed) : this.preview(draft);
  }

  /** The shown request. Null when an input has changed, or the cache has expired: the layout then plans another one. */
  #currentShown(): ShownNext | null {
    if (!this.#isCurrent || this.#shown === null || !('composed' in this.#shown)) {
      return null;
    }
    const { forecast } = this.#shown.composed;
    return this.#ports.clock.now() <= (forecast?.expiresAt ?? Infinity) ? this.#shown : null;
  }

  /** Returns the next request of a changed state. Adds a copy of `message`, if any. Rejects as `preview` does. */
  previewAs(view: StateView, message: UserMessage | null): Promise<ComposedRequest> {
    return this.#ask(view, message === null ? [] : [writtenMessage(NO_ID, message.parts)], false);
  }

  /** Returns the next request with another model, with the draft of the first view. Rejects as `preview` does. */
  async withModel(model: ModelRef): Promise<ComposedRequest> {
    const [watching] = this.#watching;
    const { editing, ...written } = watching?.() ?? NO_DRAFT;
    const view: StateView = (state) => {
      const before = editing === null ? state : stateBefore(state, editing);
      return { ...before, config: { ...before.config, model } };
    };
    return this.#ask(view, draftMessages(written, editing === null ? null : findMessage(this.#chat.state, editing)), false);
  }

  /** Returns the next request without a draft, from the loaded messages. Rejects with `modelGone`. */
  async withoutDraft(state: ChatState): Promise<ComposedRequest> {
    const shown = state === this.#chat.state ? this.#currentShown() : null;
    const isEmpty = shown?.draft.editing === null && draftMessages(shown.draft, null).length === 0;
    return isEmpty ? shown.composed : this.#composeWhatIsHere(() => state, { ...NOTHING_NEW, workspace: await this.readWorkspace(state) });
  }

  /** Returns the request that `withoutDraft` would have returned at `at` (epoch ms). Rejects with `modelGone`. */
  async asOf(state: ChatState, at: number): Promise<ComposedRequest> {
    return this.#composeWhatIsHere(() => state, { ...NOTHING_NEW, workspace: await this.readWorkspace(state), at });
  }

  /**
   * Returns the next request with an instruction in place of the draft. It contains the items that were picked for the
   * last request, because they are part of the cached prefix. Rejects with `modelGone`.
   */
  withInstruction(state: ChatState, instruction: string): Promise<ComposedRequest> {
    return this.#composeWhatIsHere(() => state, { ...NOTHING_NEW, scores: lastPicks(state), instruction });
  }

  /** Returns the request that a run sends. Finds the inputs that changed after the preview of the sent message. */
  async toSend(picking: Pick<RequestExtras, 'scores' | 'workspace' | 'tools'>): Promise<ComposedRequest> {
    const composed = await this.#compose(asItIs, { ...NOTHING_NEW, ...picking, isDraft: true });
    const previewed = this.#previewed;
    if (previewed !== null && previewed.answered === composed.answered) {
      this.#changedInputs = changedInputs(previewed.inputs, composed.inputs);
    }
    return composed;
  }

  /** Notifies listeners (`sent`) if `toSend` found changed inputs. Call this after all checks, right before sending. */
  reportChangedInputs(): void {
    this.forgetPreview();
    if (this.#changedInputs.length > 0) {
      this.#ports.log.changed('sent');
      this.#changedInputs = [];
    }
  }

  /** Ends the comparison with the preview: what changes from now on, the user has asked for. */
  forgetPreview(): void {
    this.#previewed = null;
  }

  /** Reads the parts of the workspace message that the chat's settings switch on. Never rejects. */
  async readWorkspace({ config, fragments }: Pick<ChatState, 'config' | 'fragments'>): Promise<readonly LongPart[]> {
    return [...(await this.#ports.editor.read(config)), ...extensionPart(fragments.get(WORKSPACE_TEXT) ?? null)];
  }

  async #ask(view: StateView, newMessages: readonly UserMessage[], isDraft: boolean): Promise<ComposedRequest> {
    await this.sending.wait();
    const last = newMessages.at(-1);
    const scores = last === undefined ? [] : await this.#ports.composer.reader.rank(messageText(last), view(this.#chat.state));
    const next = nextAuthor(this.#chat.state, newMessages.length === 0 ? null : await this.#ports.me());
    const workspace = await this.readWorkspace(view(this.#chat.state));
    const written = newMessages.map((message) => ({ ...message, author: next.author }));
    const joining: StateView = (state) => withJoined(view(state), next);
    const asking = { ...NOTHING_NEW, newMessages: written, scores, workspace, isDraft };
    try {
      return await (this.#isWholeDeclined ? this.#composeWhatIsHere(joining, asking) : this.#compose(joining, asking));
    } catch (thrown) {
      if (toLoupeError(thrown).kind !== 'cancelled') {
        throw thrown;
      }
      this.#isWholeDeclined = true;
      return this.#composeWhatIsHere(joining, asking);
    }
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

  async #composeWhatIsHere(view: StateView, asking: ChatExtras): Promise<ComposedRequest> {
    const state = view(this.#chat.state);
    // A draft that was sent meanwhile is already in the chat, under the same id.
    const newMessages = asking.newMessages.filter(({ id }) => !isNewest(id, state));
    const { composer, fragments } = this.#ports;
    const composed = await composer.compose(state, { fragments: fragments.pieces(state), ...asking, newMessages });
    this.#messages = composed.messages;
    return composed;
  }
}

/** Returns whether the newest user message of the chat has this id. A draft keeps its id when it is sent. */
function isNewest(id: string, { timeline }: Pick<ChatState, 'timeline'>): boolean {
  const newest = timeline.findLast((item) => item.kind === 'message' && item.message.role === 'user');
  return newest?.kind === 'message' && newest.message.id === id;
}
