import { CHAT_SETTINGS, type ChatConfig } from '../../engine/chat/settings/config.js';
import { hasEffect } from '../../engine/chat/settings/configValues.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import {
  type DetailKind,
  firstQuery,
  INSPECTOR_STATE,
  type InspectorChart,
  type InspectorDelta,
  type InspectorDetail,
  type InspectorHint,
  type InspectorQuery,
  type InspectorState,
  NEXT_REQUEST,
} from '../../protocol/inspector/inspector.js';
import type { Verdict } from '../../protocol/inspector/verdict.js';
import type { Chats } from '../chat/chats.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Hint } from '../request/verdict/hint.js';
import { Reading } from '../window/reading.js';
import { ViewChannel } from '../window/viewChannel.js';
import { foundBlocks } from './blockText.js';
import { inspect, type Inspected, type InspectPorts } from './inspected.js';
import { inspectorDetail } from './inspectorDetail.js';
import { requestChart } from './requestChart.js';

export interface InspectorPorts extends InspectPorts {
  readonly chats: Pick<Chats, 'open' | 'onChange' | 'list'>;
  readonly now: () => number;
  readonly logError: (error: LoupeError) => void;
}

/** A chat changes many times while a reply comes. */
const SETTLE_MS = 250;

/** The countdown of the next request's cache. */
const SECOND_MS = 1_000;

/** What the tab of one chat shows: all requests of the chat, and one of them in all its parts. */
export class InspectorView {
  readonly channel: ViewChannel<InspectorState, InspectorDelta, InspectorQuery, never>;
  #chatId: string;
  readonly #ports: InspectorPorts;
  readonly #endOfChanges: () => void;
  #query: InspectorQuery;
  #chart: InspectorChart | null = null;
  /** How many requests there were, and were answered, when the chart was made. */
  #charted = '';
  #inspected: Inspected | null = null;
  /** What would have cost less, of requests that it was read for. */
  readonly #hinted = new WeakMap<Inspected, Hint | null>();
  #taken: TakenLayout | null = null;
  /** Null until the chat is read. */
  #session: ChatSession | null = null;
  #detail: InspectorDetail | null = null;
  #found: readonly number[] | null = null;
  readonly #reading: Reading;
  #settling: NodeJS.Timeout | undefined;
  readonly #ticking: NodeJS.Timeout;

  constructor(chatId: string, ports: InspectorPorts) {
    this.#chatId = chatId;
    this.#ports = ports;
    this.#reading = new Reading({
      logError: ports.logError,
      changed: () => {
        this.channel.changed();
      },
    });
    this.#query = firstQuery(NEXT_REQUEST);
    this.channel = new ViewChannel({ travels: INSPECTOR_STATE, open: this.#query, state: this.#state.bind(this) });
    this.#endOfChanges = ports.chats.onChange({
      changed: (changed) => {
        if (changed === this.#chatId) {
          this.changed();
        }
      },
    });
    this.#ticking = setInterval(() => {
      if (this.#inspected?.request.id === NEXT_REQUEST) {
        this.channel.changed();
      }
    }, SECOND_MS);
  }

  get chatId(): string {
    return this.#chatId;
  }

  /** What it shows. */
  get request(): string {
    return this.#query.request;
  }

  /** The request on show; null until it is read, and where that failed. */
  get inspected(): Inspected | null {
    return this.#inspected;
  }

  get chart(): InspectorChart | null {
    return this.#chart;
  }

  get verdict(): Verdict | null {
    const inspected = this.#inspected;
    return inspected === null ? null : inspected.verdict(this.#ports.now());
  }

  get hint(): InspectorHint | null {
    const [hint, session] = [this.#hint, this.#session];
    return hint === null || session === null ? null : hintView(hint, session.state.config, this.#taken);
  }

  /** Sets the chat to the layout that the hint names, if it names one. */
  async useHint(): Promise<void> {
    const layout = hintedLayout(this.#hint);
    const session = this.#session;
    if (layout !== null && session !== null) {
      const before = session.state.config.layout;
      await session.changeConfig({ layout });
      this.#taken = { layout, before };
      this.channel.changed();
    }
  }

  /** Sets the chat back to the layout that it had before `useHint`. */
  async undoHint(): Promise<void> {
    const taken = this.#taken;
    if (taken !== null) {
      await this.#session?.changeConfig({ layout: taken.before });
      this.#taken = null;
      this.channel.changed();
    }
  }

  get #hint(): Hint | null {
    return this.#inspected === null ? null : (this.#hinted.get(this.#inspected) ?? null);
  }

  /** Shows a request by the id of its attempt, or the next one, of this or another chat. Resolves once it is read. */
  show(chatId: string, id: string): Promise<void> {
    if (chatId !== this.#chatId) {
      this.#chatId = chatId;
      this.#leaveChat();
    }
    this.#showQuery(firstQuery(id));
    return this.#reading.inTurn(() => this.#readRequest());
  }

  ask(query: InspectorQuery): void {
    const isOther = query.request !== this.#query.request;
    this.#showQuery(query);
    void this.#reading.inTurn(() => (isOther ? this.#readRequest() : this.#readDetail()));
  }

  /** To be called when the chat has changed, or the next request. */
  changed(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      void this.#reading.inTurn(() => this.#readRequest());
    }, SETTLE_MS);
  }

  dispose(): void {
    this.#endOfChanges();
    clearTimeout(this.#settling);
    clearInterval(this.#ticking);
    this.channel.dispose();
  }

  #showQuery(query: InspectorQuery): void {
    if (query.request !== this.#query.request) {
      this.#forget();
    }
    this.#query = query;
    this.channel.showRows(query);
  }

  #leaveChat(): void {
    this.#forget();
    this.#chart = null;
    this.#charted = '';
    this.#session = null;
    this.#taken = null;
  }

  #forget(): void {
    this.#inspected = null;
    this.#detail = null;
    this.#found = null;
  }

  async #readRequest(): Promise<void> {
    const chatId = this.#chatId;
    const session = await this.#ports.chats.open(chatId);
    const state = await session.whole();
    if (chatId !== this.#chatId) {
      // Another chat was selected meanwhile, which is read next.
      return;
    }
    this.#session = session;
    const ended = [...state.attempts.values()].filter(({ end }) => end !== null).length;
    const charted = `${String(state.attempts.size)} ${String(ended)} ${this.#title()}`;
    if (charted !== this.#charted) {
      this.#chart = requestChart(state, this.#title());
      this.#charted = charted;
    }
    const { request } = this.#query;
    if (this.#inspected === null || this.#inspected.isOpen) {
      const inspected = await inspect(session, state, request, this.#ports);
      // Meanwhile another one may have been asked for, which is read next.
      if (chatId === this.#chatId && request === this.#query.request) {
        this.#inspected = inspected;
      }
    }
    await this.#readDetail();
    void this.#readHint();
  }

  /** Beside all other reading: it takes longest and is seldom there. */
  async #readHint(): Promise<void> {
    const inspected = this.#inspected;
    if (inspected === null || this.#hinted.has(inspected)) {
      return;
    }
    this.#hinted.set(inspected, null);
    try {
      this.#hinted.set(inspected, await inspected.hint());
      this.channel.changed();
    } catch (thrown) {
      // All else about the request stands without it.
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  async #readDetail(): Promise<void> {
    const inspected = this.#inspected;
    const query = this.#query;
    if (inspected === null) {
      return;
    }
    const { block, kind } = this.#chosen(inspected);
    const { blocks, request } = inspected;
    const detail = inspectorDetail(
      { ...query, block, kind },
      {
        blocks,
        payload: kind === 'payload' ? await inspected.payload() : null,
        compared: kind === 'change' ? await inspected.compared() : null,
        wasWritten: (request.parts?.written ?? 0) > 0,
      },
    );
    if (inspected === this.#inspected) {
      this.#detail = detail;
      this.#found = foundBlocks(blocks, query.find);
    }
  }

  #title(): string {
    return this.#ports.chats.list().find(({ id }) => id === this.#chatId)?.title ?? '';
  }

  /** What is shown of which block: at first the change that broke the cache or came first, else the text of the latest message. */
  #chosen(inspected: Inspected): { readonly block: number; readonly kind: DetailKind } {
    const { request, blocks } = inspected;
    const { block, detail } = this.#query;
    const first = this.verdict?.brokenAt ?? request.differsAt;
    const chosen = block ?? first ?? blocks.length - 1;
    const kind = detail ?? (chosen === first ? 'change' : 'text');
    return { block: chosen, kind: kind === 'change' && request.before === null ? 'text' : kind };
  }

  #state(): InspectorState {
    return {
      chatId: this.#chatId,
      query: this.#query,
      chart: this.#chart,
      request: this.#inspected?.request ?? null,
      verdict: this.verdict,
      hint: this.hint,
      detail: this.#detail,
      found: this.#found,
      problem: this.#reading.failed?.message ?? null,
    };
  }
}

type Layout = ChatConfig['layout'];

/** The layout that the user took from a hint, and what the chat had before. */
interface TakenLayout {
  readonly layout: Layout;
  readonly before: Layout;
}

/** A hint with what can be done about it in the chat as it is. Only the layout is a setting of the user: lifetimes follow from it. */
export function hintView({ text, layout }: Hint, config: ChatConfig, taken: TakenLayout | null): InspectorHint {
  const option = CHAT_SETTINGS.layout.options.find(({ value }) => value === layout);
  if (option === undefined || !hasEffect('layout', config)) {
    return { text, offer: null, done: '' };
  }
  if (option.value !== config.layout) {
    return { text, offer: 'use', done: '' };
  }
  return taken?.layout === option.value
    ? {
        text,
        offer: 'undo',
        done: `This chat now has it: the prompt layout "${option.label}" in its settings. Its next request is rebuilt.`,
      }
    : { text, offer: null, done: '' };
}

/** The layout that a hint names, where a chat can be set to it. */
function hintedLayout(hint: Hint | null): Layout | null {
  return CHAT_SETTINGS.layout.options.find(({ value }) => value === hint?.layout)?.value ?? null;
}
