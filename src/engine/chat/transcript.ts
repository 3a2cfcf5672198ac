import type { ChatState, RunState } from './fold.js';
import { isSent, type SentMessage } from './message.js';

/** What of a chat's messages is sent with the next request, in order, and which user messages are not. */
export interface Transcript {
  readonly messages: readonly SentMessage[];
  /** Ids of user messages whose run was rolled back or interrupted: visible, but never answered. */
  readonly unsent: ReadonlySet<string>;
}

/**
 * Walks the timeline by exchanges: a user message and the runs that answered it. An exchange counts when its
 * first run does; messages without a run (copied by a fork) always count.
 */
export function transcript(state: ChatState): Transcript {
  const messages: SentMessage[] = [];
  const unsent = new Set<string>();
  let waiting: SentMessage | null = null;
  const drop = (): void => {
    if (waiting !== null) {
      unsent.add(waiting.id);
      waiting = null;
    }
  };
  for (const item of state.timeline) {
    if (item.kind === 'run') {
      if (waiting !== null && counts(state.runs.get(item.runId))) {
        messages.push(waiting);
        waiting = null;
      }
    } else if (isSent(item.message)) {
      if (item.message.role === 'user' && item.runId !== null) {
        drop();
        waiting = item.message;
      } else if (item.runId === null || counts(state.runs.get(item.runId))) {
        messages.push(item.message);
      }
    }
  }
  drop();
  return { messages, unsent };
}

/** Whether what a run logged is part of the conversation. */
export function counts(run: RunState | undefined): boolean {
  switch (run?.status) {
    case undefined:
    case 'rolledBack':
      return false;
    case 'running':
    case 'committed':
    case 'stopped':
      return true;
    case 'failed':
    case 'interrupted':
      return run.toolsRan;
  }
}
