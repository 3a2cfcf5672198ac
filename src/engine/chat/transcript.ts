import { isSent, type SentMessage } from './message.js';
import { isOfHousekeeping, type RunState, type RunsState } from './slices/runs.js';
import type { BranchState } from './timeline.js';

/** What of a chat's messages is sent with the next request, in order, and which user messages are not. */
export interface Transcript {
  readonly messages: readonly SentMessage[];
  /** Ids of user messages whose run was rolled back or interrupted: visible, but never answered. */
  readonly unsent: ReadonlySet<string>;
}

/**
 * Walks the timeline by exchanges: a user message and the runs that answered it. An exchange counts when one of its
 * runs does; a message without a run (copied by a fork) counts until a retry of it fails. Housekeeping is passed over.
 */
export function transcript({ timeline, runs }: BranchState & RunsState): Transcript {
  const messages: SentMessage[] = [];
  const unsent = new Set<string>();
  let waiting: { readonly message: SentMessage; readonly counts: boolean } | null = null;
  const settle = (): void => {
    if (waiting?.counts === true) {
      messages.push(waiting.message);
    } else if (waiting !== null) {
      unsent.add(waiting.message.id);
    }
    waiting = null;
  };
  for (const item of timeline) {
    if (isOfHousekeeping(item, runs)) {
      continue;
    }
    const run = item.runId === null ? undefined : runs.get(item.runId);
    if (item.kind === 'run') {
      waiting = waiting === null ? null : { message: waiting.message, counts: counts(run) };
      if (waiting?.counts === true) {
        settle();
      }
    } else if (isSent(item.message)) {
      if (item.message.role === 'user') {
        settle();
        waiting = { message: item.message, counts: item.runId === null };
      } else if (item.runId === null || counts(run)) {
        settle();
        messages.push(item.message);
      }
    }
  }
  settle();
  return { messages, unsent };
}

/** Whether what a run logged is part of the conversation. */
function counts(run: RunState | undefined): boolean {
  switch (run?.status) {
    case undefined:
    case 'rolledBack':
      return false;
    case 'running':
    case 'committed':
    case 'stopped':
    case 'failed':
      return true;
    case 'interrupted':
      return run.toolsRan;
  }
}
