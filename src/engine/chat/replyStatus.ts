import type { AssistantMessage } from './message/message.js';
import type { AttemptState } from './slices/attempts.js';
import type { RunState } from './slices/runs.js';

/**
 * How a reply ended. `cutOff`: at the output limit. `refused`: for its content. `endedEarly`: for another reason of the
 * provider. `incomplete`: the reply or its run failed. `interrupted`: the extension host ended.
 */
export type ReplyStatus = 'done' | 'streaming' | 'stopped' | 'cutOff' | 'refused' | 'endedEarly' | 'incomplete' | 'interrupted';

/** Returns the status of a reply that became a message. `attempt` is undefined if its log line is damaged. */
export function messageStatus({ stopped }: AssistantMessage, attempt: AttemptState | undefined): ReplyStatus {
  if (stopped) {
    return 'stopped';
  }
  switch (attempt?.end?.stopReason) {
    case 'length':
      return 'cutOff';
    case 'refused':
      return 'refused';
    case 'other':
      return 'endedEarly';
    default:
      return 'done';
  }
}

/** Returns the status of a reply that has not become a message. */
export function attemptStatus(run: RunState, attempt: AttemptState): ReplyStatus {
  switch (run.status) {
    case 'running':
      return isStreaming(run, attempt) ? 'streaming' : 'incomplete';
    case 'interrupted':
      return 'interrupted';
    case 'stopped':
    case 'committed':
      return 'stopped';
    case 'failed':
    case 'rolledBack':
      return 'incomplete';
  }
}

function isStreaming(run: RunState, attempt: AttemptState): boolean {
  return run.status === 'running' && attempt.end === null;
}

/** Returns the attempts of a run that still stream or left a partial reply. Attempts in `said` became messages. */
export function unfinishedAttempts(run: RunState, attempts: ReadonlyMap<string, AttemptState>, said: ReadonlySet<string>): AttemptState[] {
  return run.attemptIds
    .flatMap((id) => attempts.get(id) ?? [])
    .filter((attempt) => !said.has(attempt.id) && (isStreaming(run, attempt) || attempt.reply.length > 0));
}
