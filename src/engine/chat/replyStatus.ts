import type { AssistantMessage } from './message/message.js';
import type { AttemptState } from './slices/attempts.js';
import type { RunState } from './slices/runs.js';

/**
 * How far a reply got. `cutOff`: it reached the output limit. `endedEarly`: the provider ended it for a reason of its own.
 * `incomplete`: it or its run failed.
 */
export type ReplyStatus = 'done' | 'streaming' | 'stopped' | 'cutOff' | 'refused' | 'endedEarly' | 'incomplete' | 'interrupted';

/** The status of a reply that became a message. `attempt` is undefined when its record is on a damaged line. */
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

/** The status of a reply that is not a message, or not yet. */
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

/** Attempts of a run that are not in `said`, the attempts behind messages: those that stream, or ended with a partial reply. */
export function unfinishedAttempts(run: RunState, attempts: ReadonlyMap<string, AttemptState>, said: ReadonlySet<string>): AttemptState[] {
  return run.attemptIds
    .flatMap((id) => attempts.get(id) ?? [])
    .filter((attempt) => !said.has(attempt.id) && (isStreaming(run, attempt) || attempt.reply.length > 0));
}
