import { LoupeError } from '../errors.js';
import type { ChatState, RunState, TimelineItem } from './fold.js';
import { isConversation, type Message, type UserMessage } from './message.js';
import { countMessages, isWhole } from './snapshot.js';
import { transcript } from './transcript.js';

/*
 * Questions about the branch on show: what an edit, a retry or a return would set aside.
 */

/** The message `id` of the branch; null when it is not on it. */
export function findMessage(state: ChatState, id: string): Message | null {
  const item = state.timeline.findLast((candidate) => candidate.kind === 'message' && candidate.message.id === id);
  return item?.kind === 'message' ? item.message : null;
}

/** The user message `id` of the branch; throws `invalidInput` when there is none. */
export function findUserMessage(state: ChatState, id: string): UserMessage {
  const message = findMessage(state, id);
  if (message?.role !== 'user') {
    throw new LoupeError('invalidInput', 'That message is not in the conversation any more.');
  }
  return message;
}

/** The id of the message directly before `message`; null when it is the first. Throws `internal` when it was not read. */
export function messageBefore(state: ChatState, message: Message): string | null {
  const messages = messagesOf(state.timeline);
  const before = messages[messages.findIndex(({ id }) => id === message.id) - 1];
  if (before === undefined && !isWhole(state)) {
    throw new LoupeError('internal', 'What stands before that message was not read.');
  }
  return before?.id ?? null;
}

/** Whether message `id` is here and so is what stands before it. */
export function isPreceded(state: ChatState, id: string): boolean {
  const at = messagesOf(state.timeline).findIndex((message) => message.id === id);
  return at > 0 || (at === 0 && isWhole(state));
}

/** The chat as it was before message `id`: what an edit of that message goes on from. As it is when it is not there. */
export function stateBefore(state: ChatState, id: string): ChatState {
  const at = state.timeline.findIndex((item) => item.kind === 'message' && item.message.id === id);
  return at === -1 ? state : { ...state, timeline: state.timeline.slice(0, at) };
}

/** How many conversation messages stand after message `to`; all of them for null. */
export function countMessagesAfter(state: ChatState, to: string | null): number {
  if (to === null) {
    return countMessages(state);
  }
  const messages = messagesOf(state.timeline);
  return messages.slice(messages.findIndex(({ id }) => id === to) + 1).filter(isConversation).length;
}

/** How many conversation messages of the branch on show are not on `branch`. What was not read is on both. */
export function countMessagesMissingFrom(state: ChatState, branch: readonly TimelineItem[]): number {
  const kept = new Set(messagesOf(branch).map(({ id }) => id));
  return messagesOf(state.timeline).filter((message) => isConversation(message) && !kept.has(message.id)).length;
}

/** The last run of the branch. */
export function lastRun(state: ChatState): RunState | undefined {
  const item = state.timeline.findLast((candidate) => candidate.kind === 'run');
  return item?.kind === 'run' ? state.runs.get(item.runId) : undefined;
}

/**
 * Whether a run ended early with rounds that it can go on from: its own, which one that failed has, or those of the run
 * that it went on from.
 */
export function canContinue({ status, toolsRan, cause }: RunState): boolean {
  const hasRounds = toolsRan || cause === 'continue';
  return status === 'failed' || (hasRounds && (status === 'interrupted' || status === 'rolledBack'));
}

/** Whether a user message was never answered and others came after it. */
export function isUnsentAndOvertaken(state: ChatState, id: string): boolean {
  const last = messagesOf(state.timeline).findLast((message) => message.role === 'user');
  return last?.id !== id && transcript(state).unsent.has(id);
}

function messagesOf(timeline: readonly TimelineItem[]): Message[] {
  return timeline.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
}
