import { setImmediate } from 'node:timers/promises';
import type { Prices } from '../../../engine/model/price.js';
import { modelOrOwn } from '../../../engine/model/modelRef.js';
import { leftOut, withoutLeftOut, type LeftOut } from '../../../engine/chat/leftOut.js';
import { isSent, messageText, type SentMessage } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { SUMMARY_HEADING } from '../../../engine/chat/summaryHeading.js';
import { messagesOf } from '../../../engine/chat/timeline.js';
import { divided } from '../../../engine/chat/checkpoint.js';
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
import { composeAlone } from './aloneRequest.js';
import { costOfHousekeeping, costOfParts, type RequestCost } from '../requestCost.js';
import type { Composed } from '../composed.js';
import type { RequestComposer, Weighed } from './requestComposer.js';
import { loadOf } from './room.js';

/** The requests that make a summary. */
export interface SummaryOrders {
  /** What the model is asked for. */
  readonly instruction: string;
  /** Most tokens of the summary. */
  readonly mostTokens: number;
  /** The number of requests. */
  readonly parts: number;
  /** What all of them may cost together. */
  cost(): Promise<RequestCost>;
  /** The request for part `part`; `soFar` is the summary of the parts before it. Rejects as `RequestComposer.prepare` does. */
  prepare(attemptId: string, of: { readonly part: number; readonly soFar: string | null }): Promise<PreparedRequest>;
}

/** The texts that can replace messages. */
export interface CheckpointTexts {
  /** The checkpoint's text. Throws when the summary is no shorter than what it replaces. */
  readonly finish: (summary: string) => CheckpointText;
  /** The checkpoint's text without a summary: `note`, and what must not be lost. */
  readonly leftOut: (note: string) => CheckpointText;
}

/** What a summary is made with, and what becomes of it. */
export interface SummarySource extends SummaryOrders, Pick<CheckpointTexts, 'finish'> {}

/** What a summary is of. */
interface Summarized extends CheckpointTexts {
  /** The chat as it was: the user may go on meanwhile. */
  readonly state: ChatState;
  readonly messages: readonly SentMessage[];
  readonly next: SentMessage | null;
  readonly results: Weighed['results'];
  readonly mostTokens: number;
}

/** The request that asks where the topic changes, and the messages that it is about. */
export interface TopicSource {
  readonly formatted: FormattedHistory;
  readonly cost: RequestCost;
  /** Rejects as `RequestComposer.prepare` does. */
  prepare(attemptId: string): Promise<PreparedRequest>;
}

export interface CheckpointText {
  readonly text: string;
  /** What of the text was added to the summary, word for word. */
  readonly lines: readonly string[];
  readonly tokens: { readonly before: number; readonly after: number };
}

export interface NextInFigures {
  readonly load: Load;
  readonly history: History;
  /** Tokens of the summary in use; null without one. */
  readonly earlierSummary: number | null;
  /** Null when unknown. */
  readonly prices: Prices | null;
}

/**
 * The share of the room in a request that a part of a conversation gets. The counter may differ from the provider's, and
 * texts that are counted apart may have a few more tokens together.
 */
const FILLED = 0.8;

/** Below this share of the trigger, neither a changed file nor an inexact count makes a summary due. */
const CERTAIN = 0.8;

export interface SummaryRequestsPorts {
  /** The fragments of the system prompt. */
  fragments(): readonly SystemPiece[];
}

/** A message of which less is shown tells no topic. */
const LEAST_TOPIC_CHARACTERS = 100;

/** Messages that are read after a turn: most turns have fewer. */
const LATEST = 20;

/** Composes the requests for summaries of one chat. */
export class SummaryRequests {
  readonly #facts = new MessageFacts();
  readonly #requests: RequestComposer;
  readonly #ports: SummaryRequestsPorts;

  constructor(requests: RequestComposer, ports: SummaryRequestsPorts) {
    this.#requests = requests;
    this.#ports = ports;
  }

  /**
   * Whether the last request and its reply are so small that no summary can be due. Reads no message, so that most replies
   * cost nothing more. Rejects with `modelGone`.
   */
  async isFarFromFull(state: ChatState): Promise<boolean> {
    const last = lastReplyAttempt(state);
    const reply = last?.end?.usage?.completionTokens?.value ?? 0;
    const settings = compactionSettings(state.config);
    const least = triggerTokens(settings, { budget: await this.#requests.budget(state), fixedTokens: 0 });
    return settings.policy !== 'message-count' && last !== null && last.manifest.size.tokens + reply < least * CERTAIN;
  }

  /** Reads what of the latest messages must survive a summary. To be called after each turn: a summary then reads no more. */
  async readLatest({ timeline }: ChatState): Promise<void> {
    for (const message of messagesOf(timeline.slice(-LATEST)).filter(isSent)) {
      await this.#facts.read(message, setImmediate);
    }
  }

  /** How the next request divides its budget, and the messages behind the checkpoint. Rejects with `modelGone`. */
  async next(state: ChatState): Promise<NextInFigures> {
    const composed = await this.#requests.compose(state, {
      fragments: this.#ports.fragments(),
      scores: [],
      more: [],
      tools: null,
      instruction: null,
    });
    const messages = openMessages(state);
    const load = { ...loadOf(composed), messages: messages.length };
    const { checkpoint } = divided(state);
    const earlierSummary = checkpoint === null ? null : await this.checkpointTokens(state, checkpoint.text);
    return { load, history: await this.#historyOf(state, messages), earlierSummary, prices: composed.model.prices };
  }

  /** What the next summary would do, and when, if `composed` is the next request. Reads no message while it is far off. Rejects with `modelGone`. */
  async forecast(state: ChatState, composed: Composed): Promise<{ readonly trigger: TriggerPlace | null; readonly plan: Plan | null }> {
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
    const weighed = withoutLeftOut(messages, leftOutIn(state)).map((message, index) => ({ message, tokens: tokens[index] ?? 0 }));
    const answered = answeredId(state);
    return historyOf(weighed, new Set([...state.pinned, ...(answered === null ? [] : [answered])]));
  }

  /**
   * The request that asks where the topic changes. Messages are cut shorter until it fits; one that does not even so is
   * refused by `prepare`. Rejects with `modelGone`.
   */
  async topic(chat: ChatState, history: History): Promise<TopicSource> {
    const { config } = chat;
    const state = { ...chat, config: { ...config, model: modelOrOwn(config.topicModel, config.model) } };
    for (let most = MOST_TOPIC_CHARACTERS; ; most = Math.floor(most / 2)) {
      const formatted = formatHistory(history, most);
      const composed = await composeAlone(this.#requests, state, `${TOPIC_INSTRUCTION}\n\n${formatted.text}`);
      if (composed.excess === null || most < LEAST_TOPIC_CHARACTERS) {
        const cost = costOfHousekeeping(composed, null);
        return { formatted, cost, prepare: (attemptId) => this.#requests.prepare(composed, state, { attemptId, picks: null }) };
      }
    }
  }

  /**
   * Returns the texts that can replace the messages of a range, in at most `most` tokens. Works also when no request fits: it composes none.
   * Rejects with `modelGone`, and with `invalidInput` where the user has left out all of it.
   */
  async texts(state: ChatState, range: Range, most: number): Promise<CheckpointTexts> {
    return this.#summarized(state, range, most);
  }

  async #summarized(live: ChatState, range: Range, most: number): Promise<Summarized> {
    const state: ChatState = { ...live, timeline: [...live.timeline] };
    const { tokens, results, counter } = await this.#requests.weigh(state, range.messages);
    const { messages, next } = heldOf(range, state);
    const { checkpoint } = divided(state);
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
   * The conversation itself with an instruction behind it, when that fits: most of it is in the provider's cache. Else the
   * conversation as text, in as many parts as it needs. What the user has left out is not in it. The summary has at most `most` tokens.
   * Rejects with `modelGone`, with `invalidInput` where all of it was left out, and with `contextOverflow` where no part has room.
   */
  async source(live: ChatState, range: Range, most: number): Promise<SummarySource> {
    const { state, messages, next, results, mostTokens, finish } = await this.#summarized(live, range, most);
    const order: SummaryOrder = { style: state.config.summaryStyle, tokens: mostTokens };
    const instruction = summaryInstruction(order, next === null ? null : messageText(next));
    // What was picked for the newest message is in the prefix that the provider has cached.
    const asking = { fragments: this.#ports.fragments(), scores: pickedBefore(state), more: [], tools: null, instruction };
    const whole = await this.#requests.compose(state, asking);
    if (whole.excess === null && !whole.isPartial) {
      const prepare = (attemptId: string): Promise<PreparedRequest> => this.#requests.prepare(whole, state, { attemptId, picks: null });
      const cost = (): Promise<RequestCost> => Promise.resolve(costOfHousekeeping(whole, mostTokens));
      return { instruction, mostTokens, parts: 1, cost, prepare, finish };
    }
    const { checkpoint } = divided(state);
    const inParts = await this.#inParts(state, serialized(messages, results), {
      mostTokens,
      request: (soFar, text) => serializedRequest(order, { earlier: soFar ?? checkpoint?.text ?? null, text }),
    });
    return { instruction, ...inParts, finish };
  }

  /** The requests that shorten a message of the user which is too long to be sent. Rejects with `modelGone`. */
  async shortening(live: ChatState, text: string, mostTokens: number): Promise<SummaryOrders> {
    const state: ChatState = { ...live, timeline: [...live.timeline] };
    const inParts = await this.#inParts(state, [text], {
      mostTokens,
      request: (soFar, part) => shorteningRequest(mostTokens, { soFar, text: part }),
    });
    return { instruction: shorteningRequest(mostTokens, { soFar: null, text: '' }).trim(), ...inParts };
  }

  /** Requests of nothing but a text, divided into as many parts as it needs. `request` gets what became of the parts before, or null. */
  async #inParts(
    state: ChatState,
    lines: readonly string[],
    { mostTokens, request }: { readonly mostTokens: number; readonly request: (soFar: string | null, text: string) => string },
  ): Promise<Omit<SummaryOrders, 'instruction'>> {
    const { counter } = await this.#requests.weigh(state, []);
    const empty = await composeAlone(this.#requests, state, request('', ''));
    const room = Math.floor((empty.budget - empty.size.tokens - mostTokens) * FILLED);
    if (room <= 0) {
      throw failure('summary.noRoom');
    }
    const parts = chunks(lines, room, counter);
    return {
      mostTokens,
      parts: parts.length,
      // The first part is filled; the last one mostly is not.
      cost: async () =>
        costOfParts(costOfHousekeeping(await composeAlone(this.#requests, state, request(null, parts[0] ?? '')), mostTokens), parts.length),
      prepare: async (attemptId, { part, soFar }) => {
        return this.#requests.prepare(await composeAlone(this.#requests, state, request(soFar, parts[part] ?? '')), state, {
          attemptId,
          picks: null,
        });
      },
    };
  }

  /** Tokens of a checkpoint with this text, as the model of the chat counts them. Rejects with `modelGone`. */
  async checkpointTokens(state: ChatState, text: string): Promise<number> {
    return checkpointTokens(text, (await this.#requests.weigh(state, [])).counter);
  }

  /** Reads the messages that no turn of this window has read: those of a chat that was opened. Others get their turn in between. */
  async #read(messages: readonly SentMessage[]): Promise<void> {
    for (const message of messages) {
      await this.#facts.read(message, setImmediate);
    }
  }
}

function leftOutIn(state: ChatState): LeftOut {
  return leftOut({ pinned: [], messages: openMessages(state) }, state);
}

/** What a summary is of: the messages of the range, and the first one behind it, without what the user has left out. */
function heldOf(range: Range, state: ChatState): Pick<Range, 'messages' | 'next'> {
  const left = leftOutIn(state);
  const messages = withoutLeftOut(range.messages, left).filter(({ parts }) => parts.length > 0);
  if (messages.length === 0) {
    throw failure('chat.nothingToSummarize');
  }
  const open = openMessages(state);
  const behind = range.next === null ? [] : open.slice(open.findIndex(({ id }) => id === range.next?.id));
  return { messages, next: withoutLeftOut(behind, left).find(({ parts }) => parts.length > 0) ?? null };
}

/** Tokens of a checkpoint's block. */
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

/** What the last reply request picked, with its scores. */
function pickedBefore(state: ChatState): readonly Score[] {
  return lastRecords(state).flatMap(({ item, leftOut }) =>
    leftOut === null && item.similarityScore !== undefined ? [{ key: itemKey(item), score: item.similarityScore }] : [],
  );
}
