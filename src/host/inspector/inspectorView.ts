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
  type Verdict,
} from '../../protocol/inspector/inspector.js';
import type { Chats } from '../chat/chats.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Hint } from '../request/verdict/attemptDiagnosis.js';
import { ReadingQueue } from '../window/reading.js';
import { derived, ViewChannel, type ViewSlices } from '../window/viewChannel.js';
import { foundBlocks } from './blockText.js';
import { inspect, type RequestDetails, type InspectPorts } from './inspected.js';
import { inspectorDetail } from './inspectorDetail.js';
import { requestChart } from './requestChart.js';

export interface InspectorPorts extends InspectPorts {
  readonly chats: Pick<Chats, 'open' | 'onChange' | 'list'>;
  readonly now: () => number;
  readonly logError: (error: LoupeError) => void;
}

/** Pause between updates, in ms. During a reply, a chat changes many times per second. */
const SETTLE_MS = 250;

/** Interval in ms for the countdown until the cache of the next request expires. */
const SECOND_MS = 1_000;

/** The state of an inspector tab: all requests of a chat, and the details of one request. */
export class InspectorView {
  readonly channel: ViewChannel<InspectorState, InspectorDelta, InspectorQuery, never, InspectorSource>;
  #chatId: string;
  readonly #ports: InspectorPorts;
  readonly #endOfChanges: () => void;
  #query: InspectorQuery;
  #chart: InspectorChart | null = null;
  /** The title, and the numbers of all and of ended requests in the chart. A difference redraws the chart. */
  #charted = '';
  #inspected: RequestDetails | null = null;
  /** The hint of each request how it could have cost less. Null until computed, and when nothing costs less. */
  readonly #hinted = new WeakMap<RequestDetails, Hint | null>();
  #taken: TakenLayout | null = null;
  /** The session of the chat. Null until Loupe has read the chat. */
  #session: ChatSession | null = null;
  #detail: InspectorDetail | null = null;
  #found: readonly number[] | null = null;
  readonly #reading: ReadingQueue;
  #settling: NodeJS.Timeout | undefined;
  readonly #ticking: NodeJS.Timeout;

  constructor(chatId: string, ports: InspectorPorts) {
    this.#chatId = chatId;
    this.#ports = ports;
    this.#reading = new ReadingQueue({
      logError: ports.logError,
      changed: () => {
        this.channel.changed('read');
      },
    });
    this.#query = firstQuery(NEXT_REQUEST);
    const slices = this.#slices();
    this.channel = new ViewChannel({ travels: INSPECTOR_STATE, open: this.#query, derive: (_, changed) => derived(slices, null, changed) });
    this.#endOfChanges = ports.chats.onChange({
      changed: (changed) => {
        if (changed === this.#chatId) {
          this.changed();
        }
      },
    });
    this.#ticking = setInterval(() => {
      if (this.#inspected?.request.id === NEXT_REQUEST) {
        this.channel.changed('clock');
      }
    }, SECOND_MS);
  }

  get chatId(): string {
    return this.#chatId;
  }

  get request(): string {
    return this.#query.request;
  }

  /** The visible request. Null until Loupe has read it, and after a failure. */
  get inspected(): RequestDetails | null {
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

  /** Changes the chat settings to the layout in the hint, if the hint has a layout. */
  async useHint(): Promise<void> {
    const layout = CHAT_SETTINGS.layout.options.find(({ value }) => value === this.#hint?.layout)?.value ?? null;
    const session = this.#session;
    if (layout !== null && session !== null) {
      const before = session.state.config.layout;
      await session.changeConfig({ layout });
      this.#taken = { layout, before };
      this.channel.changed('hint');
    }
  }

  /** Restores the layout in the chat settings from before `useHint`. */
  async undoHint(): Promise<void> {
    const taken = this.#taken;
    if (taken !== null) {
      await this.#session?.changeConfig({ layout: taken.before });
      this.#taken = null;
      this.channel.changed('hint');
    }
  }

  get #hint(): Hint | null {
    return this.#inspected === null ? null : (this.#hinted.get(this.#inspected) ?? null);
  }

  /** Shows a request: the next request of the chat, or a sent request by its attempt id. Resolves after reading it. */
  show(chatId: string, id: string): Promise<void> {
    if (chatId !== this.#chatId) {
      this.#chatId = chatId;
      this.#leaveChat();
    }
    this.#showQuery({ ...firstQuery(id), asked: this.#query.asked });
    return this.#reading.inTurn(() => this.#readRequest());
  }

  ask(query: InspectorQuery): void {
    const isOther = query.request !== this.#query.request;
    this.#showQuery(query);
    void this.#reading.inTurn(() => (isOther ? this.#readRequest() : this.#readDetail()));
  }

  /** Schedules an update. Call this when the chat or its next request has changed. */
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
      // The user has selected another chat, which a later call reads.
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
      // Drops the result if the user has selected another request, which a later call reads.
      if (chatId === this.#chatId && request === this.#query.request) {
        this.#inspected = inspected;
      }
    }
    await this.#readDetail();
    void this.#readHint();
  }

  /** Reads the hint outside the queue of reads, because the hint takes long and often finds nothing. */
  async #readHint(): Promise<void> {
    const inspected = this.#inspected;
    if (inspected === null || this.#hinted.has(inspected)) {
      return;
    }
    this.#hinted.set(inspected, null);
    try {
      this.#hinted.set(inspected, await inspected.hint());
      this.channel.changed('hint');
    } catch (thrown) {
      // All other parts of the view work without the hint.
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

  /** Returns the first of these blocks: chosen by the user, the cause of lost cache content, first changed, last. */
  #chosen(inspected: RequestDetails): { readonly block: number; readonly kind: DetailKind } {
    const { request, blocks } = inspected;
    const { block, detail } = this.#query;
    const first = this.verdict?.brokenAt ?? request.differsAt;
    const chosen = block ?? first ?? blocks.length - 1;
    const kind = detail ?? (chosen === first ? 'change' : 'text');
    return { block: chosen, kind: kind === 'change' && request.before === null ? 'text' : kind };
  }

  #slices(): ViewSlices<InspectorState, null, InspectorSource> {
    return {
      chatId: { from: ['read', 'open'], derive: () => this.#chatId },
      query: { from: ['open'], derive: () => this.#query },
      chart: { from: ['read', 'open'], derive: () => this.#chart },
      request: { from: ['read', 'open'], derive: () => this.#inspected?.request ?? null },
      verdict: { from: ['read', 'clock', 'open'], derive: () => this.verdict },
      hint: { from: ['read', 'hint', 'open'], derive: () => this.hint },
      detail: { from: ['read', 'open'], derive: () => this.#detail },
      found: { from: ['read', 'open'], derive: () => this.#found },
      problem: { from: ['read'], derive: () => this.#reading.failed?.message ?? null },
    };
  }
}

/** Sources of the inspector's state. `read`: what was read of the chat and its request. `open`: the user's query. */
type InspectorSource = 'read' | 'hint' | 'clock';

type PromptLayout = ChatConfig['layout'];

/** The layout that the user took from a hint, with the earlier layout of the chat. */
interface TakenLayout {
  readonly layout: PromptLayout;
  readonly before: PromptLayout;
}

/** Returns the hint. For a hint with a layout, adds an offer to use the layout or to undo the change. */
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
        done: `This chat now uses the prompt layout "${option.label}". Loupe rebuilds the next request.`,
      }
    : { text, offer: null, done: '' };
}
