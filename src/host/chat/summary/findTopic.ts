import { newId } from '../../../engine/chat/order/ids.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { splitAtCheckpoint } from '../../../engine/chat/checkpoint.js';
import type { History } from '../../../engine/compaction/history.js';
import {
  SAFE_BOUNDARY,
  type TopicBegin,
  parseTopic,
  topicBegin,
  topicSummary,
} from '../../../engine/compaction/policies/topicBoundaryPolicy.js';
import { topicRun } from '../../../engine/run/topicRun.js';
import { type LoupeError, recordedError, toLoupeError } from '../../../engine/errors.js';
import {
  MOST_TOPIC_CHARACTERS,
  TOPIC_INSTRUCTION,
  formatHistory,
  type FormattedHistory,
} from '../../../engine/compaction/policies/topic.js';
import { modelOrOwn } from '../../../engine/model/modelRef.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { RequestComposer } from '../../request/compose/requestComposer.js';
import { costOfHousekeeping } from '../../request/requestCost.js';
import type { SpendGate } from '../spend/spendGate.js';
import { type HousekeepingPorts, driveHousekeeping } from '../runs/driveHousekeeping.js';

export interface Topic {
  readonly begin: TopicBegin;
  /** Id of the run with the request to a model, or null when no model was asked. */
  readonly runId: string | null;
  /** Returns the model's summary of the conversation up to message `to`, or null. */
  summaryTo(to: string): string | null;
}

/** The result when no model was asked: no known change of topic. */
export const NO_TOPIC: Topic = { begin: { messageId: null, confidence: 0 }, runId: null, summaryTo: () => null };

export interface TopicPorts extends HousekeepingPorts {
  readonly composer: Pick<RequestComposer, 'composeAlone' | 'prepare'>;
  readonly spending: Pick<SpendGate, 'objections'>;
  readonly signal: AbortSignal;
  logError(error: LoupeError): void;
}

/** With fewer characters of each message, a model cannot recognize topics. */
const LEAST_TOPIC_CHARACTERS = 100;

/** Asks a model where the topic changes. Without a valid answer the topic is unknown, and the reason is logged. */
export async function findTopic(live: ChatState, history: History, { composer, signal, spending, ...ports }: TopicPorts): Promise<Topic> {
  if (history.messages.length === 0) {
    return NO_TOPIC;
  }
  const { config } = live;
  // Copies the timeline, because the conversation can continue during the request.
  const state: ChatState = {
    ...live,
    timeline: [...live.timeline],
    config: { ...config, model: modelOrOwn(config.topicModel, config.model) },
  };
  const request = await topicRequest(state, history, composer).catch((thrown: unknown) => {
    // The topic model may no longer exist. Loupe then summarizes without a known topic.
    ports.logError(toLoupeError(thrown));
    return null;
  });
  // Sends no request that needs approval, because the user may be away.
  if (request === null || (await spending.objections(costOfHousekeeping(request.composed, null))).length > 0) {
    return NO_TOPIC;
  }
  const { formatted, composed } = request;
  const runId = newId(ports.clock, ports.random);
  const run = topicRun({ runId, signal, prepare: (attemptId) => composer.prepare(composed, state, { attemptId, picks: null }) }, ports);
  const answer = await driveHousekeeping(runId, run, ports);
  const error = ports.log.state.runs.get(runId)?.error;
  if (error !== undefined && error !== null) {
    ports.logError(recordedError(error));
  }
  const boundary = answer === null ? SAFE_BOUNDARY : parseTopic(answer, formatted.messages.length);
  // The model's summary is valid only if the request contained the earlier summary and all messages.
  const hasSeenAll = splitAtCheckpoint(state).checkpoint === null && formatted.messages.length === history.messages.length;
  return { begin: topicBegin(boundary, formatted), runId, summaryTo: (to) => (hasSeenAll ? topicSummary(boundary, formatted, to) : null) };
}

/** Shortens the texts of the messages until the request fits. If it never fits, `prepare` refuses it. */
async function topicRequest(
  state: ChatState,
  history: History,
  composer: TopicPorts['composer'],
): Promise<{ readonly formatted: FormattedHistory; readonly composed: ComposedRequest }> {
  for (let most = MOST_TOPIC_CHARACTERS; ; most = Math.floor(most / 2)) {
    const formatted = formatHistory(history, most);
    const composed = await composer.composeAlone(state, `${TOPIC_INSTRUCTION}\n\n${formatted.text}`);
    if (composed.excess === null || most < LEAST_TOPIC_CHARACTERS) {
      return { formatted, composed };
    }
  }
}
