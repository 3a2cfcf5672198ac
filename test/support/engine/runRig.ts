import type { PricesOfModel } from '../../../src/engine/model/price.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { ReplyCause } from '../../../src/engine/chat/slices/runs.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { ChatFold } from '../../../src/engine/chat/fold.js';
import type { Message } from '../../../src/engine/chat/message/message.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { RandomHex, ToolOutcome } from '../../../src/engine/ports.js';
import type { RunTools } from '../../../src/engine/tools/offered.js';

import { runTools, UNASKED, type ToolExecutor } from './toolExecutor.js';
import type { Manifest } from '../../../src/engine/record/manifest.js';
import { utf8ForModel, type ResultTexts } from '../../../src/engine/request/resultText.js';
import type { ExchangeListener } from '../../../src/engine/model/httpExchange.js';
import { STOP, type OpenStep, type PreparedRequest, type RunControl, type RunEvents } from '../../../src/engine/run/input.js';
import type { ModelClient, ReceivedImage, StreamPart } from '../../../src/engine/model/model.js';
import type { ImagePart } from '../../../src/engine/model/part.js';
import { run } from '../../../src/engine/run/run.js';
import { created, EMPTY_MANIFEST } from './events.js';
import { user } from './messages.js';
import { OPEN_MODEL } from './models.js';
import { CountingHex, ManualClock, settled, sha256 } from './ports.js';

export type Cue =
  | StreamPart
  | { readonly type: 'fail'; readonly error: unknown }
  | { readonly type: 'head'; readonly status: number }
  /** Ignores aborts. */
  | { readonly type: 'hang' }
  | { readonly type: 'pass'; readonly ms: number };

/** Usage that a run estimates for any request and reply. */
export const ESTIMATED_USAGE: Usage = {
  promptTokens: { value: 1_000, source: 'estimated' },
  cacheReadInputTokens: null,
  cacheCreationInputTokens: null,
  cacheCreation: null,
  completionTokens: { value: 100, source: 'estimated' },
};

export type FakeTool = () => Promise<ToolOutcome>;

/** Drives one run as a host does. The model follows the script and ignores aborts. `moments` lists all events. */
export class RunRig {
  readonly clock = new ManualClock();
  readonly abort = new AbortController();
  readonly moments: string[] = [];
  readonly drafts: NewEvent[] = [];
  readonly log: ChatEvent[] = [];
  readonly live: ChatFold;
  readonly tools = new Map<string, FakeTool>();
  readonly blobs = new Map<string, Uint8Array>();
  readonly errors: LoupeError[] = [];
  cause: ReplyCause = 'message';
  random: RandomHex = new CountingHex();
  prepare: () => Promise<void> = settled;
  manifest: Manifest = EMPTY_MANIFEST;
  control: RunControl = UNASKED;
  /** Tools that can need approval, instead of tools that run at once. */
  offered: RunTools | null = null;
  open: OpenStep | null = null;
  onKeep: () => Promise<void> = settled;
  stream: (() => AsyncIterable<StreamPart>) | null = null;
  pricesOf: PricesOfModel = () => null;
  /** Called at each moment with the number of earlier ones. */
  onMoment: (name: string, index: number) => void = () => undefined;
  onLogged: () => void = () => undefined;
  readonly #replies: Cue[][];

  constructor(...replies: Cue[][]) {
    this.#replies = [...replies];
    this.live = ChatFold.created({ ...created(), at: 0, writer: 'w' });
    this.#append([created()]);
  }

  abortAt(name: string, reason: string): void {
    this.onMoment = (moment) => {
      if (moment.startsWith(name)) {
        this.abort.abort(reason);
      }
    };
  }

  stopAt(name: string): void {
    this.abortAt(name, STOP);
  }

  async go(): Promise<this> {
    const isNew = this.cause === 'message';
    const request = {
      runId: 'r',
      cause: this.cause,
      userMessage: user('u', 'Hello'),
      isNew,
      open: this.open,
      tools: this.offered ?? runTools(this.#executor()),
      control: this.control,
      sha256,
      prepare: (attemptId: string) => this.#prepare(attemptId),
      keepBlob: (bytes: Uint8Array) => this.#keep(bytes),
      keepImage: async ({ mimeType, bytes }: Omit<ReceivedImage, 'index'>): Promise<ImagePart> => {
        return { type: 'image', blob: await this.#keep(bytes), mimeType, bytes: bytes.length, width: null, height: null };
      },
      reportError: (error: LoupeError) => {
        this.errors.push(error);
      },
      signal: this.abort.signal,
    };
    for await (const step of run(request, { clock: this.clock, random: this.random })) {
      this.#take(step);
      await settled();
      this.#waitForRetry(step);
    }
    return this;
  }

  get resultTexts(): ResultTexts {
    return new Map([...this.blobs].map(([name, bytes]) => [name, utf8ForModel(bytes)]));
  }

  get said(): Message[] {
    const messages = this.drafts.flatMap((draft) => (draft.type === 'message' ? [draft.message] : []));
    return messages.filter(({ role }) => role !== 'user');
  }

  get ends(): Extract<NewEvent, { type: 'attempt-ended' }>[] {
    return this.drafts.filter((draft) => draft.type === 'attempt-ended');
  }

  /** When the run waits to repeat a request, moves time by exactly the announced delay. */
  #waitForRetry({ events: drafts }: RunEvents): void {
    const plan = drafts.flatMap((draft) => (draft.type === 'attempt-ended' && draft.retry !== null ? [draft.retry] : []))[0];
    if (plan === undefined) {
      return;
    }
    void settled().then(async () => {
      const ms = plan.at - this.clock.now();
      if (this.clock.sleeping > 0) {
        this.#moment(`wait ${ms}`);
      }
      if (this.clock.sleeping > 0) {
        await this.clock.pass(ms);
      }
    });
  }

  #take({ events: drafts, persistence }: RunEvents): void {
    this.drafts.push(...drafts);
    if (persistence === 'shown') {
      for (const draft of drafts) {
        this.live.apply({ ...draft, at: this.clock.now(), writer: 'w' });
      }
    } else {
      this.#append(drafts);
      this.onLogged();
    }
    this.#moment(`${persistence}: ${drafts.map(nameOf).join(' ')}`);
  }

  #append(drafts: readonly NewEvent[]): void {
    for (const draft of drafts) {
      const event = { ...draft, v: LOG_VERSION, seq: this.log.length + 1, id: '', at: this.clock.now(), writer: 'w' };
      this.log.push(event);
      this.live.apply(event);
    }
  }

  #moment(name: string): void {
    this.moments.push(name);
    this.onMoment(name, this.moments.length - 1);
  }

  async #prepare(attemptId: string): Promise<PreparedRequest> {
    this.#moment('prepare');
    await this.prepare();
    return {
      attemptId,
      model: OPEN_MODEL,
      client: this.#client(),
      manifest: this.manifest,
      wire: { body: '{}', converterVersion: 'test/1' },
      cacheControlIndex: 7,
      pricesOf: (id) => this.pricesOf(id),
      estimateUsage: () => Promise.resolve(ESTIMATED_USAGE),
    };
  }

  #client(): ModelClient {
    return {
      convert: () => ({ body: '{}', converterVersion: 'test/1' }),
      countTokens: () => Promise.reject(new Error('Nobody counts in a run.')),
      stream: (_model, _request, _signal, exchanged) => {
        this.#moment('stream');
        return this.stream?.() ?? this.#play(this.#replies.shift() ?? [], exchanged);
      },
    };
  }

  async *#play(cues: readonly Cue[], exchanged: ExchangeListener): AsyncGenerator<StreamPart, void, void> {
    for (const cue of cues) {
      this.#moment(`cue ${cue.type}`);
      switch (cue.type) {
        case 'hang':
          await new Promise(() => undefined);
          break;
        case 'pass':
          await this.clock.pass(cue.ms);
          break;
        case 'fail':
          throw cue.error;
        case 'head':
          exchanged({ method: 'POST', url: 'https://example.com', requestHeaders: [], response: { status: cue.status, headers: [] } });
          break;
        default:
          await settled();
          yield cue;
      }
    }
  }

  async #keep(bytes: Uint8Array): Promise<string> {
    this.#moment(`keep ${bytes.length} bytes`);
    await this.onKeep();
    const name = sha256(Buffer.from(bytes).toString('utf8'));
    this.blobs.set(name, bytes);
    return name;
  }

  #executor(): ToolExecutor {
    return {
      has: (name) => this.tools.has(name),
      call: async ({ name, args }) => {
        this.#moment(`tool ${name} ${JSON.stringify(args)}`);
        return (this.tools.get(name) ?? settledTool)();
      },
    };
  }
}

async function settledTool(): Promise<ToolOutcome> {
  await settled();
  return { content: [], isError: false };
}

function nameOf(draft: NewEvent): string {
  if (draft.type !== 'attempt-progress') {
    return draft.type;
  }
  return draft.pieces.map((piece) => ('text' in piece ? `"${piece.text}"` : piece.type)).join(' ');
}

export function says(text: string): Cue {
  return { type: 'text', index: 0, text };
}

export function thinks(text: string): Cue {
  return { type: 'reasoning', index: 1, text };
}

export function calls(index: number, name: string, rawArgs: string): Cue[] {
  return [
    { type: 'toolCall', index, id: `call-${index}`, name },
    { type: 'toolCallArgs', index, text: rawArgs },
  ];
}

export const END: Cue = { type: 'end', stopReason: 'end', usage: null, rawUsage: null, responseId: 'id' };

export function answers(text: string): FakeTool {
  return async () => {
    await settled();
    return { content: [{ type: 'text', text }], isError: false };
  };
}

export const STUCK: FakeTool = () => new Promise(() => undefined);
