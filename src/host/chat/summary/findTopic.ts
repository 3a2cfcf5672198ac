import { newId } from '../../../engine/chat/order/ids.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { divided } from '../../../engine/chat/checkpoint.js';
import type { History } from '../../../engine/compaction/history.js';
import { parseTopic, SAFE_BOUNDARY, topicBegin, topicSummary } from '../../../engine/compaction/policies/topicAnswer.js';
import type { TopicBegin } from '../../../engine/compaction/policies/topicBoundaryPolicy.js';
import { topicRun } from '../../../engine/run/topicRun.js';
import { recordedError, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { SummaryRequests } from '../../request/compose/summaryRequests.js';
import type { SpendGate } from '../spend/spendGate.js';
import { driveHousekeeping, type HousekeepingPorts } from '../runs/driveHousekeeping.js';

/** What a model says about the topics of a conversation. */
export interface Topic {
  readonly begin: TopicBegin;
  /** The run that asked for it; null when no model was asked. */
  readonly runId: string | null;
  /** Its summary of the conversation up to message `to`; null without one. */
  summaryTo(to: string): string | null;
}

/** Nobody is asked where the topic changes. */
export const NO_TOPIC: Topic = { begin: { messageId: null, confidence: 0 }, runId: null, summaryTo: () => null };

export interface TopicPorts extends HousekeepingPorts {
  readonly requests: Pick<SummaryRequests, 'topic'>;
  readonly spending: Pick<SpendGate, 'objections'>;
  readonly signal: AbortSignal;
  logError(error: LoupeError): void;
}

/** Asks a model where the topic changes. Without a valid answer nothing is known; why there is none is logged. */
export async function findTopic(live: ChatState, history: History, { requests, signal, spending, ...ports }: TopicPorts): Promise<Topic> {
  if (history.messages.length === 0) {
    return NO_TOPIC;
  }
  // The user may go on meanwhile: what is asked about stays what it was.
  const state: ChatState = { ...live, timeline: [...live.timeline] };
  const source = await requests.topic(state, history).catch((thrown: unknown) => {
    // The model for topics may be gone. The conversation is summarized all the same.
    ports.logError(toLoupeError(thrown));
    return null;
  });
  // Nobody may be there to be asked what it costs.
  if (source === null || (await spending.objections(source.cost)).length > 0) {
    return NO_TOPIC;
  }
  const { formatted } = source;
  const runId = newId(ports.clock, ports.random);
  const run = topicRun({ runId, signal, prepare: (attemptId) => source.prepare(attemptId) }, ports);
  const answer = await driveHousekeeping(runId, run, ports);
  const error = ports.log.state.runs.get(runId)?.error;
  if (error !== undefined && error !== null) {
    ports.logError(recordedError(error));
  }
  const boundary = answer === null ? SAFE_BOUNDARY : parseTopic(answer, formatted.messages.length);
  // A summary that was made without the one before it, or without the first messages, would lose them.
  const hasSeenAll = divided(state).checkpoint === null && formatted.messages.length === history.messages.length;
  return { begin: topicBegin(boundary, formatted), runId, summaryTo: (to) => (hasSeenAll ? topicSummary(boundary, formatted, to) : null) };
}
