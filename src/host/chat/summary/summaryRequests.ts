import { setImmediate } from 'node:timers/promises';
import { splitAtCheckpoint } from '../../../engine/chat/checkpoint.js';
import { isSent, messageText } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { messagesOf } from '../../../engine/chat/timeline.js';
import { checkpointTexts, checkpointTokens, summarized, type CheckpointTexts } from '../../../engine/compaction/checkpointTexts.js';
import { MessageFacts } from '../../../engine/compaction/facts/messageFacts.js';
import type { Range } from '../../../engine/compaction/range.js';
import {
  chunks,
  serialized,
  serializedRequest,
  shorteningRequest,
  summaryInstruction,
  type SummaryOrder,
} from '../../../engine/compaction/summaryPrompt.js';
import { failure } from '../../../engine/errors.js';
import { type RewriteFigures, rewriteFigures } from '../../../engine/next/summaryRewrite.js';
import { isFarFromFull, nextRequestFigures, type NextRequestFigures } from '../../../engine/next/room.js';
import type { PreparedRequest } from '../../../engine/run/input.js';
import type { RequestComposer } from '../../request/compose/requestComposer.js';
import { costOfHousekeeping, costOfParts, type RequestCost } from '../../request/requestCost.js';
import type { ChatNext } from '../chatNext.js';

/** The requests that together produce one text, such as a summary. */
export interface SummaryOrders {
  readonly instruction: string;
  readonly mostTokens: number;
  readonly parts: number;
  /** Returns the expected cost of all requests together. */
  cost(): Promise<RequestCost>;
  /** Prepares one part. `soFar`: the text made from the earlier parts. Rejects as `RequestComposer.prepare` does. */
  prepare(attemptId: string, of: { readonly part: number; readonly soFar: string | null }): Promise<PreparedRequest>;
}

/**
 * One part of a conversation fills at most this share of a request's room. The provider may count more tokens than
 * Loupe, and separately counted texts may have a few more tokens together.
 */
const FILLED = 0.8;

/** Number of the latest messages to read after a turn. Most turns have fewer messages. */
const LATEST = 20;

/** Makes the requests for the summaries of one chat. */
export class SummaryRequests {
  readonly #facts = new MessageFacts();
  readonly #requests: RequestComposer;
  readonly #next: Pick<ChatNext, 'withoutDraft' | 'withInstruction'>;

  constructor(requests: RequestComposer, next: Pick<ChatNext, 'withoutDraft' | 'withInstruction'>) {
    this.#requests = requests;
    this.#next = next;
  }

  /** See `isFarFromFull` in the engine. Rejects with `modelGone`. */
  async isFarFromFull(state: ChatState): Promise<boolean> {
    return isFarFromFull(state, await this.#requests.reader.budget(state));
  }

  /** Finds the facts in the latest messages that a summary must keep. Call it after each turn. */
  async readLatest({ timeline }: ChatState): Promise<void> {
    for (const message of messagesOf(timeline.slice(-LATEST)).filter(isSent)) {
      await this.#facts.read(message, setImmediate);
    }
  }

  /** Returns the size of the next request and the messages after the last summary. Rejects with `modelGone`. */
  async next(state: ChatState): Promise<NextRequestFigures> {
    return nextRequestFigures(state, await this.#next.withoutDraft(state), this.#requests);
  }

  /** Returns how a summary of `range` changes the next request. Rejects with `modelGone`. */
  async rewriteFigures(state: ChatState, range: Pick<Range, 'from' | 'to'>): Promise<RewriteFigures> {
    const [now, then] = [await this.#next.withoutDraft(state), await this.#next.withoutDraft(withSummary(state, range))];
    return rewriteFigures(now, then);
  }

  /**
   * Returns the texts that can replace a range of messages, with at most `most` tokens. Works even when no request
   * fits. Rejects with `modelGone`, or with `invalidInput` when the user excluded all messages of the range.
   */
  async texts(live: ChatState, range: Range, most: number): Promise<CheckpointTexts> {
    const state = snapshot(live);
    const weighed = await this.#requests.weigh(state, range.messages, []);
    const { messages } = summarized(range, state);
    return checkpointTexts(state, messages, { ...weighed, most }, { facts: this.#facts, pause: setImmediate });
  }

  /**
   * Returns the requests for a summary of at most `most` tokens. If possible, one request contains the conversation and
   * then the instruction, because most of that is cached. Otherwise the conversation is sent as text, in several parts.
   * Excluded messages are omitted. Rejects with `modelGone`, with `invalidInput` when all messages are excluded, or
   * with `contextOverflow` when not even a part fits.
   */
  async source(live: ChatState, range: Range, most: number): Promise<SummaryOrders & Pick<CheckpointTexts, 'finish'>> {
    const state = snapshot(live);
    const { mostTokens, finish } = await this.texts(state, range, most);
    const { messages, next } = summarized(range, state);
    const order: SummaryOrder = { style: state.config.summaryStyle, tokens: mostTokens };
    const instruction = summaryInstruction(order, next === null ? null : messageText(next));
    const whole = await this.#next.withInstruction(state, instruction);
    if (whole.excess === null && !whole.isPartial) {
      const prepare = (attemptId: string): Promise<PreparedRequest> => this.#requests.prepare(whole, state, { attemptId, picks: null });
      const cost = (): Promise<RequestCost> => Promise.resolve(costOfHousekeeping(whole, mostTokens));
      return { instruction, mostTokens, parts: 1, cost, prepare, finish };
    }
    const { checkpoint } = splitAtCheckpoint(state);
    const results = await this.#requests.reader.blobs.results(messages);
    const inParts = await this.#inParts(state, serialized(messages, results), {
      mostTokens,
      request: (soFar, text) => serializedRequest(order, { earlier: soFar ?? checkpoint?.text ?? null, text }),
    });
    return { instruction, ...inParts, finish };
  }

  /** Returns the requests that shorten a user message which is too long to send. Rejects with `modelGone`. */
  async shortening(live: ChatState, text: string, mostTokens: number): Promise<SummaryOrders> {
    const state = snapshot(live);
    const inParts = await this.#inParts(state, [text], {
      mostTokens,
      request: (soFar, part) => shorteningRequest(mostTokens, { soFar, text: part }),
    });
    return { instruction: shorteningRequest(mostTokens, { soFar: null, text: '' }).trim(), ...inParts };
  }

  /** Returns requests that contain only text, split into parts. `request` gets the result of the earlier parts. */
  async #inParts(
    state: ChatState,
    lines: readonly string[],
    { mostTokens, request }: { readonly mostTokens: number; readonly request: (soFar: string | null, text: string) => string },
  ): Promise<Omit<SummaryOrders, 'instruction'>> {
    const empty = await this.#requests.composeAlone(state, request('', ''));
    const room = Math.floor((empty.budget - empty.size.tokens - mostTokens) * FILLED);
    if (room <= 0) {
      throw failure('summary.noRoom');
    }
    const parts = chunks(lines, room, await this.#requests.reader.counter(state));
    return {
      mostTokens,
      parts: parts.length,
      // A slight overestimate: all parts get the price of the first part, which is full. The last part usually is not.
      cost: async () =>
        costOfParts(costOfHousekeeping(await this.#requests.composeAlone(state, request(null, parts[0] ?? '')), mostTokens), parts.length),
      prepare: async (attemptId, { part, soFar }) => {
        const composed = await this.#requests.composeAlone(state, request(soFar, parts[part] ?? ''));
        return this.#requests.prepare(composed, state, { attemptId, picks: null });
      },
    };
  }

  /** Returns the tokens of a checkpoint with this text, counted for the chat's model. Rejects with `modelGone`. */
  async checkpointTokens(state: ChatState, text: string): Promise<number> {
    return checkpointTokens(text, await this.#requests.reader.counter(state));
  }
}

/** Returns the state with an empty summary of the messages. */
function withSummary(state: ChatState, { from, to }: Pick<Range, 'from' | 'to'>): ChatState {
  const message = { role: 'summary', id: 'planned-summary', text: '' } as const;
  const tokens = { before: 0, after: 0 };
  const made = { id: 'planned', policy: 'manual', case: 'summarize', from, to, summaryId: message.id, tokens, lines: [] } as const;
  return {
    ...state,
    timeline: [...state.timeline, { kind: 'message', message, runId: null, at: 0 }],
    compactions: new Map([...state.compactions, [made.id, { ...made, isUndone: false }]]),
  };
}

/** Copies the state, because the conversation can continue meanwhile. */
function snapshot(live: ChatState): ChatState {
  return { ...live, timeline: [...live.timeline] };
}
