import { failure } from '../errors.js';
import { mayStart } from './calls/calls.js';
import type { Extent } from './extent.js';
import { isConversation, type AssistantMessage, type Message, type UserMessage } from './message/message.js';
import type { AttemptsState } from './slices/attempts.js';
import { standingSummaries } from './slices/compaction.js';
import { isOfHousekeeping, type RunState, type RunsState } from './slices/runs.js';
import { countMessages, type ChatState } from './state.js';
import { isMessageItem, messagesOf, type BranchState, type Timeline } from './timeline.js';
import { transcript } from './transcript.js';

/** Returns a message of the current branch, or null if the message is on another branch or not loaded. */
export function findMessage({ timeline }: BranchState, id: string): Message | null {
  const item = timeline.findLast((candidate) => isMessageItem(candidate, id));
  return item?.kind === 'message' ? item.message : null;
}

/** Returns the id of the message that the running turn replies to, or null. */
export function answeredId(state: BranchState & RunsState): string | null {
  const run = lastRun(state);
  return run?.status === 'running' ? run.userMessageId : null;
}

/** Like `findMessage`, but for user messages. Throws if the current branch has no such user message. */
export function findUserMessage(state: BranchState, id: string): UserMessage {
  const message = findMessage(state, id);
  if (message?.role !== 'user') {
    throw failure('chat.messageGone');
  }
  return message;
}

/** Returns the id of the previous message, skipping titles and summaries. Null for the first loaded message. */
export function messageBefore({ timeline, runs }: BranchState & RunsState, { id }: Message): string | null {
  const at = timeline.findLastIndex((item) => isMessageItem(item, id));
  const before = timeline.slice(0, Math.max(0, at)).findLast((item) => item.kind === 'message' && !isOfHousekeeping(item, runs));
  return before?.kind === 'message' ? before.message.id : null;
}

/** Returns whether a message and the message before it are loaded. True for the first message of a whole chat. */
export function isPreceded(state: BranchState & RunsState & Extent, id: string): boolean {
  const message = findMessage(state, id);
  return message !== null && (state.extent === 'whole' || messageBefore(state, message) !== null);
}

/** Returns the chat as it was before message `id`, for an edit of that message. Unchanged if the message is missing. */
export function stateBefore(state: ChatState, id: string): ChatState {
  const at = state.timeline.findIndex((item) => isMessageItem(item, id));
  if (at === -1) {
    return state;
  }
  return { ...state, timeline: [...state.timeline.slice(0, at), ...standingSummaries(state, state.timeline.slice(at))] };
}

/** Returns the number of conversation messages after message `to`. If `to` is null, all messages are counted. */
export function countMessagesAfter(state: BranchState & Extent, to: string | null): number {
  if (to === null) {
    return countMessages(state);
  }
  const messages = messagesOf(state.timeline);
  return messages.slice(messages.findIndex(({ id }) => id === to) + 1).filter(isConversation).length;
}

/** Returns the number of conversation messages of the current branch that are not in `branch`. */
export function countMessagesMissingFrom({ timeline }: BranchState, branch: Timeline): number {
  const kept = new Set(messagesOf(branch).map(({ id }) => id));
  return messagesOf(timeline).filter((message) => isConversation(message) && !kept.has(message.id)).length;
}

/** Returns the last run of the current branch that replies to the user. Skips runs for titles, topics and summaries. */
export function lastRun({ timeline, runs }: BranchState & RunsState): RunState | undefined {
  const item = timeline.findLast((candidate) => candidate.kind === 'run' && !isOfHousekeeping(candidate, runs));
  return item?.kind === 'run' ? runs.get(item.runId) : undefined;
}

/** Returns the last reply of the branch, even one that a summary replaced, or null if the branch has no reply. */
export function lastReply(state: BranchState & RunsState): AssistantMessage | null {
  const { timeline } = state;
  for (let [from, end] = [timeline.length - 1, timeline.length]; from >= 0; from -= 1) {
    const item = timeline[from];
    if (from === 0 || (item?.kind === 'message' && item.message.role === 'user')) {
      const { messages } = transcript({ ...state, timeline: timeline.slice(from, end) });
      const reply = messages.findLast((message) => message.role === 'assistant');
      if (reply !== undefined) {
        return reply;
      }
      end = from;
    }
  }
  return null;
}

/**
 * Returns whether the user can continue a run that ended early. This is always true for a failed run. For a stopped,
 * interrupted or rolled-back run, it is true in three cases: a tool started, Loupe asked the user about a call or
 * further steps, or the run continued another run. For a reply that ended early, see `unfinishedReplyId`.
 */
export function canContinue({ status, toolsRan, cause, calls, question }: RunState): boolean {
  const hasSteps = toolsRan || cause === 'continue' || question !== null || calls.some(mayStart);
  return status === 'failed' || (hasSteps && (status === 'interrupted' || status === 'rolledBack' || status === 'stopped'));
}

/**
 * Returns the id of the reply at the end of the branch if the reply is unfinished: the user stopped the reply, or the
 * provider ended it early and some text arrived. A new message continues such a reply. Null otherwise.
 */
export function unfinishedReplyId({ timeline, attempts }: BranchState & AttemptsState): string | null {
  const item = timeline.findLast((candidate) => candidate.kind === 'message' && isConversation(candidate.message));
  if (item?.kind !== 'message' || item.message.role !== 'assistant') {
    return null;
  }
  const { id, parts, stopped, attemptId } = item.message;
  const stopReason = attempts.get(attemptId)?.end?.stopReason ?? null;
  const hasText = parts.some((part) => part.type === 'text' && part.text.trim() !== '');
  return stopped || ((stopReason === 'length' || stopReason === 'other') && hasText) ? id : null;
}

/** Returns whether a user message has no reply although a later user message follows. */
export function isUnsentAndOvertaken(state: ChatState, id: string): boolean {
  const last = messagesOf(state.timeline).findLast((message) => message.role === 'user');
  return last?.id !== id && transcript(state).unsent.has(id);
}
