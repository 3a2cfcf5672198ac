import { mayStart } from './calls/calls.js';
import { isSent, type SentMessage } from './message/message.js';
import { isOfHousekeeping, type RunState, type RunsState } from './slices/runs.js';
import type { BranchState, Timeline } from './timeline.js';
import { contentsOf } from './message/contents.js';

/** The messages of the next request, in order, and the user messages that are not sent. */
export interface Transcript {
  readonly messages: readonly SentMessage[];
  /** Ids of visible user messages without a reply, because their run failed or was interrupted. */
  readonly unsent: ReadonlySet<string>;
}

/**
 * Walks the timeline turn by turn. A turn is sent if `counts` is true for one of its runs. A user message without a run
 * (copied by a fork) is sent until a retry of that message fails. Skips runs for titles, topics and summaries.
 */
export function transcript({ timeline, runs }: Pick<BranchState & RunsState, 'timeline' | 'runs'>): Transcript {
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

/** Returns whether requests send the messages of a run. */
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
      // The user can continue an interrupted run if a tool has started, or if a call still waits for the user.
      return run.toolsRan || run.calls.some(mayStart);
  }
}

/**
 * Returns the end of a conversation with more than `characters` characters, as short as possible, starting at a user
 * message. Returns the whole conversation if it is shorter. The transcript of this end is the end of the whole
 * transcript.
 */
export function endOfConversation(timeline: Timeline, characters: number): Timeline {
  let found = 0;
  const from = timeline.findLastIndex((item) => {
    const message = item.kind === 'message' && isSent(item.message) ? item.message : null;
    found += message === null ? 0 : charactersOf(message);
    return message?.role === 'user' && found > characters;
  });
  return timeline.slice(Math.max(0, from));
}

/** Returns the length of a message: UTF-16 units of texts and arguments, bytes of blobs. Images add 0. */
function charactersOf(message: SentMessage): number {
  return contentsOf([message]).reduce((sum, content) => {
    switch (content.type) {
      case 'text':
      case 'reasoning':
        return sum + content.text.length;
      case 'toolCall':
        return sum + content.rawArgs.length;
      case 'blob':
        return sum + content.bytes;
      case 'image':
      case 'toolResult':
      case 'toolReference':
        return sum;
    }
  }, 0);
}
