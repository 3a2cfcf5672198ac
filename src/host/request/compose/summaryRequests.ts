import { setImmediate } from 'node:timers/promises';
import type { Prices } from '../../../engine/model/price.js';
import { modelOrOwn } from '../../../engine/model/modelRef.js';
import { excludedParts, withoutExcluded, type ExcludedParts } from '../../../engine/chat/excludedParts.js';
import { isSent, messageText, type SentMessage } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { SUMMARY_HEADING } from '../../../engine/chat/summaryHeading.js';
import { messagesOf } from '../../../engine/chat/timeline.js';
import { splitAtCheckpoint } from '../../../engine/chat/checkpoint.js';
import { historyOf, type History } from '../../../engine/compaction/history.js';
import {
  formatHistory,
  MOST_TOPIC_CHARACTERS,
  TOPIC_INSTRUCTION,
  type FormattedHistory,
} from '../../../engine/compaction/policies/topic.js';
import { forecastPlace, forecastPlan, isNear } from '../../../engine/compaction/forecast.js';
import type { Plan } from '../../../engine/compaction/plan.js';
import { compactionSettings, isWatched } from '../../../engine/compaction/settings.js';
import { triggerTokens, type Load, type TriggerPlace } from '../../../engine/compaction/policies/triggers.js';
import { itemKey } from '../../../engine/record/item.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import { lastRecords, lastReplyAttempt } from '../../../engine/request/base.js';
import { openMessages, type Range } from '../../../engine/compaction/range.js';
import type { Fact } from '../../../engine/compaction/facts/facts.js';
import { MessageFacts } from '../../../engine/compaction/facts/messageFacts.js';
import { survivorsOf, withSurvivors } from '../../../engine/compaction/facts/survivors.js';
import { answeredId } from '../../../engine/chat/branch.js';
import { activeCompaction } from '../../../engine/chat/slices/compaction.js';
import { summaryBudget } from '../../../engine/compaction/summaryBudget.js';
import {
  chunks,
  serialized,
  serializedRequest,
  shorteningRequest,
  summaryInstruction,
  type SummaryOrder,
} from '../../../engine/compaction/summaryPrompt.js';
import { failure } from '../../../engine/errors.js';
import type { TokenCounter } from '../../../engine/ports.js';
import type { SystemPiece } from '../../../engine/request/gather.js';
import type { PreparedRequest } from '../../../engine/run/input.js';
import { costOfHousekeeping, costOfParts, type RequestCost } from '../requestCost.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { RequestComposer } from './requestComposer.js';
import type { MessageTokens } from '../../../engine/compaction/neededAgainReader.js';
import { loadOf } from '../../../engine/next/room.js';

/** The requests that together produce one summary. */
export interface SummaryOrders {
  readonly instruction: string;
  readonly mostTokens: number;
  readonly parts: number;
  /** Returns the expected cost of all requests together. */
  cost(): Promise<RequestCost>;
  /** Prepares one part. `soFar`: the summary of the earlier parts. Rejects as `RequestComposer.prepare` does. */
  prepare(attemptId: string, of: { readonly part: number; readonly soFar: string | null }): Promise<PreparedRequest>;
}

export interface CheckpointTexts {
  /** Returns the text of a checkpoint with this summary. Throws if it is not shorter than the replaced messages. */
  readonly finish: (summary: string) => CheckpointText;
  /** Returns the text of a checkpoint without a summary: `note`, and the facts that must not be lost. */
  readonly leftOut: (note: string) => CheckpointText;
}

/** The requests for a summary, and `finish`, which turns the summary into the text of a checkpoint. */
export interface SummarySource extends SummaryOrders, Pick<CheckpointTexts, 'finish'> {}

interface SummaryRange extends CheckpointTexts {
  /** A copy of the chat's state, because the conversation may go on meanwhile. */
  readonly state: ChatState;
  readonly messages: readonly SentMessage[];
  readonly next: SentMessage | null;
  readonly results: MessageTokens['results'];
  readonly mostTokens: number;
}

/** The request that asks the model where the topic changes, with the messages that it contains. */
export interface TopicSource {
  readonly formatted: FormattedHistory;
  readonly cost: RequestCost;
  /** Prepares the request. Rejects as `RequestComposer.prepare` does. */
  prepare(attemptId: string): Promise<PreparedRequest>;
}

export interface CheckpointText {
  readonly text: string;
  /** Lines that Loupe added to the summary and keeps word for word. */
  readonly lines: readonly string[];
  readonly tokens: { readonly before: number; readonly after: number };
}

export interface NextRequestFigures {
  readonly load: Load;
  readonly history: History;
  /** Tokens of the current summary, or null without a summary. */
  readonly earlierSummary: number | null;
  /** The prices of the model, or null when unknown. */
  readonly prices: Prices | null;
}

/**
 * One part of a conversation fills at most this share of a request's room. The provider may count more tokens than
 * Loupe, and separately counted texts may have a few more tokens together.
 */
const FILLED = 0.8;

/** A request below this share of the trigger needs no summary, even if a file has changed or a count is inexact. */
const CERTAIN = 0.8;

export interface SummaryRequestsPorts {
  fragments(): readonly SystemPiece[];
}

/** With fewer characters of each message, a model cannot recognize topics. */
const LEAST_TOPIC_CHARACTERS = 100;

/** Number of the latest messages to read after a turn. Most turns have fewer messages. */
const LATEST = 20;

export class SummaryRequests {
  readonly #facts = new MessageFacts();
  readonly #requests: RequestComposer;
  readonly #ports: SummaryRequestsPorts;

  constructor(requests: RequestComposer, ports: SummaryRequestsPorts) {
    this.#requests = requests;
    this.#ports = ports;
  }

  /**
   * Returns whether the last request and its reply are far too small to need a summary. Fast, because it reads no
   * message. Rejects with `modelGone`.
   */
  async isFarFromFull(state: ChatState): Promise<boolean> {
    const last = lastReplyAttempt(state);
    const reply = last?.end?.usage?.completionTokens?.value ?? 0;
    const settings = compactionSettings(state.config);
    const least = triggerTokens(settings, { budget: await this.#requests.reader.budget(state), fixedTokens: 0 });
    return settings.policy !== 'message-count' && last !== null && last.manifest.size.tokens + reply < least * CERTAIN;
  }

  /** Finds the facts in the latest messages that a summary must keep. Call it after each turn. */
  async readLatest({ timeline }: ChatState): Promise<void> {
    for (const message of messagesOf(timeline.slice(-LATEST)).filter(isSent)) {
      await this.#facts.read(message, setImmediate);
    }
  }

  /** Returns the size of the next request and the messages after the last summary. Rejects with `modelGone`. */
  async next(state: ChatState): Promise<NextRequestFigures> {
    const composed = await this.#withConversation(state, [], null);
    const messages = openMessages(state);
    const load = { ...loadOf(composed), messages: messages.length };
    const { checkpoint } = splitAtCheckpoint(state);
    const earlierSummary = checkpoint === null ? null : await this.checkpointTokens(state, checkpoint.text);
    return { load, history: await this.#historyOf(state, messages), earlierSummary, prices: composed.model.prices };
  }

  #withConversation(state: ChatState, scores: readonly Score[], instruction: string | null): Promise<ComposedRequest> {
    const fragments = this.#ports.fragments();
    return this.#requests.compose(state, { fragments, scores, newMessages: [], tools: null, instruction, isDraft: false });
  }

  /**
   * Returns when the next summary will be needed and what it would replace, if `composed` is the next request. Fast
   * when the trigger is far away, because no message is read then. Rejects with `modelGone`.
   */
  async forecast(
    state: ChatState,
    composed: ComposedRequest,
  ): Promise<{ readonly trigger: TriggerPlace | null; readonly plan: Plan | null }> {
    const of = { settings: compactionSettings(state.config), isWatched: isWatched(state.config) };
    if (composed.isPartial) {
      return { trigger: forecastPlace(of, loadOf(composed)), plan: null };
    }
    const messages = openMessages(state);
    const load = { ...loadOf(composed), messages: messages.length };
    const trigger = forecastPlace(of, load);
    return { trigger, plan: isNear(trigger, load) ? forecastPlan(of, await this.#historyOf(state, messages)) : null };
  }

  async #historyOf(state: ChatState, messages: readonly SentMessage[]): Promise<History> {
    const { tokens } = await this.#requests.weigh(state, messages);
    const weighed = withoutExcluded(messages, excludedIn(state)).map((message, index) => ({ message, tokens: tokens[index] ?? 0 }));
    const answered = answeredId(state);
    return historyOf(weighed, new Set([...state.pinned, ...(answered === null ? [] : [answered])]));
  }

  /**
   * Returns the request that asks where the topic changes. Shortens the texts of the messages until the request fits.
   * If it never fits, `prepare` refuses it. Rejects with `modelGone`.
   */
  async topic(chat: ChatState, history: History): Promise<TopicSource> {
    const { config } = chat;
    const state = { ...chat, config: { ...config, model: modelOrOwn(config.topicModel, config.model) } };
    for (let most = MOST_TOPIC_CHARACTERS; ; most = Math.floor(most / 2)) {
      const formatted = formatHistory(history, most);
      const composed = await this.#requests.composeAlone(state, `${TOPIC_INSTRUCTION}\n\n${formatted.text}`);
      if (composed.excess === null || most < LEAST_TOPIC_CHARACTERS) {
        const cost = costOfHousekeeping(composed, null);
        return { formatted, cost, prepare: (attemptId) => this.#requests.prepare(composed, state, { attemptId, picks: null }) };
      }
    }
  }

  /**
   * Returns the texts that can replace a range of messages, with at most `most` tokens. Works even when no request
   * fits. Rejects with `modelGone`, or with `invalidInput` when the user excluded all messages of the range.
   */
  async texts(state: ChatState, range: Range, most: number): Promise<CheckpointTexts> {
    return this.#summarized(state, range, most);
  }

  async #summarized(live: ChatState, range: Range, most: number): Promise<SummaryRange> {
    const state: ChatState = { ...live, timeline: [...live.timeline] };
    const { tokens, results, counter } = await this.#requests.weigh(state, range.messages);
    const { messages, next } = heldOf(range, state);
    const { checkpoint } = splitAtCheckpoint(state);
    const before = tokens.reduce((sum, each) => sum + each, checkpoint === null ? 0 : checkpointTokens(checkpoint.text, counter));
    const mostTokens = Math.min(summaryBudget(before), most);
    await this.#read(messages);
    const survivors = survivorsOf(messages, activeCompaction(state)?.lines ?? [], this.#facts);
    const textOf = (text: string): CheckpointText => checkpointText(text, survivors, { before, mostTokens, counter });
    const finish = (summary: string): CheckpointText => {
      const made = textOf(summary);
      if (made.tokens.after >= before) {
        throw failure('summary.tooLong');
      }
      return made;
    };
    return { state, messages, next, results, mostTokens, finish, leftOut: textOf };
  }

  /**
   * Returns the requests for a summary of at most `most` tokens. If possible, one request contains the conversation and
   * then the instruction, because most of that is cached. Otherwise the conversation is sent as text, in several parts.
   * Excluded messages are omitted. Rejects with `modelGone`, with `invalidInput` when all messages are excluded, or
   * with `contextOverflow` when not even a part fits.
   */
  async source(live: ChatState, range: Range, most: number): Promise<SummarySource> {
    const { state, messages, next, results, mostTokens, finish } = await this.#summarized(live, range, most);
    const order: SummaryOrder = { style: state.config.summaryStyle, tokens: mostTokens };
    const instruction = summaryInstruction(order, next === null ? null : messageText(next));
    // Select the same catalog items as in the last request, because they are part of the cached prefix.
    const whole = await this.#withConversation(state, pickedBefore(state), instruction);
    if (whole.excess === null && !whole.isPartial) {
      const prepare = (attemptId: string): Promise<PreparedRequest> => this.#requests.prepare(whole, state, { attemptId, picks: null });
      const cost = (): Promise<RequestCost> => Promise.resolve(costOfHousekeeping(whole, mostTokens));
      return { instruction, mostTokens, parts: 1, cost, prepare, finish };
    }
    const { checkpoint } = splitAtCheckpoint(state);
    const inParts = await this.#inParts(state, serialized(messages, results), {
      mostTokens,
      request: (soFar, text) => serializedRequest(order, { earlier: soFar ?? checkpoint?.text ?? null, text }),
    });
    return { instruction, ...inParts, finish };
  }

  /** Returns the requests that shorten a user message which is too long to send. Rejects with `modelGone`. */
  async shortening(live: ChatState, text: string, mostTokens: number): Promise<SummaryOrders> {
    const state: ChatState = { ...live, timeline: [...live.timeline] };
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
    const { counter } = await this.#requests.weigh(state, []);
    const empty = await this.#requests.composeAlone(state, request('', ''));
    const room = Math.floor((empty.budget - empty.size.tokens - mostTokens) * FILLED);
    if (room <= 0) {
      throw failure('summary.noRoom');
    }
    const parts = chunks(lines, room, counter);
    return {
      mostTokens,
      parts: parts.length,
      // A slight overestimate: all parts get the price of the first part, which is full. The last part usually is not.
      cost: async () =>
        costOfParts(costOfHousekeeping(await this.#requests.composeAlone(state, request(null, parts[0] ?? '')), mostTokens), parts.length),
      prepare: async (attemptId, { part, soFar }) => {
        return this.#requests.prepare(await this.#requests.composeAlone(state, request(soFar, parts[part] ?? '')), state, {
          attemptId,
          picks: null,
        });
      },
    };
  }

  /** Returns the tokens of a checkpoint with this text, counted for the chat's model. Rejects with `modelGone`. */
  async checkpointTokens(state: ChatState, text: string): Promise<number> {
    return checkpointTokens(text, (await this.#requests.weigh(state, [])).counter);
  }

  /** Finds facts in messages that were not read before. Pauses for other work. */
  async #read(messages: readonly SentMessage[]): Promise<void> {
    for (const message of messages) {
      await this.#facts.read(message, setImmediate);
    }
  }
}

function excludedIn(state: ChatState): ExcludedParts {
  return excludedParts({ pinned: [], messages: openMessages(state) }, state);
}

/** Returns the messages to summarize and the first message after them. Excluded messages are omitted. */
function heldOf(range: Range, state: ChatState): Pick<Range, 'messages' | 'next'> {
  const left = excludedIn(state);
  const messages = withoutExcluded(range.messages, left).filter(({ parts }) => parts.length > 0);
  if (messages.length === 0) {
    throw failure('chat.nothingToSummarize');
  }
  const open = openMessages(state);
  const behind = range.next === null ? [] : open.slice(open.findIndex(({ id }) => id === range.next?.id));
  return { messages, next: withoutExcluded(behind, left).find(({ parts }) => parts.length > 0) ?? null };
}

function checkpointTokens(text: string, counter: TokenCounter): number {
  return counter.count(`${SUMMARY_HEADING}\n\n${text}`);
}

function checkpointText(
  summary: string,
  survivors: readonly Fact[],
  { before, mostTokens, counter }: { readonly before: number; readonly mostTokens: number; readonly counter: TokenCounter },
): CheckpointText {
  const { text, lines } = withSurvivors(summary, survivors, { tokens: mostTokens - counter.count(summary), counter });
  return { text, lines, tokens: { before, after: checkpointTokens(text, counter) } };
}

/** Returns the catalog items that were selected for the last reply, with their scores. */
function pickedBefore(state: ChatState): readonly Score[] {
  return lastRecords(state).flatMap(({ item, leftOut }) =>
    leftOut === null && item.similarityScore !== undefined ? [{ key: itemKey(item), score: item.similarityScore }] : [],
  );
}
