import { syntheticResult } from './tools.js';
import { canContinue, lastRun } from '../chat/branch.js';
import { toolCallsOf, type AssistantMessage } from '../chat/message/message.js';
import { replyParts } from '../chat/message/reply.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { RunState } from '../chat/slices/runs.js';
import type { NewEvent } from '../chat/slices/table.js';
import type { ChatState } from '../chat/state.js';

/** Whether the chat ends with a broken-off reply that has text. Later requests do not contain such a reply. */
export function endsBrokenOff(state: ChatState): boolean {
  return brokenOff(state) !== null;
}

/** Returns events that keep the broken-off reply, like a reply that the user stopped. Empty without such a reply. */
export function keepReplyEvents(state: ChatState, newId: () => string): NewEvent[] {
  const found = brokenOff(state);
  if (found === null) {
    return [];
  }
  const { attempt, userMessageId } = found;
  const runId = newId();
  const message: AssistantMessage = {
    role: 'assistant',
    id: newId(),
    parts: partsOf(attempt),
    attemptId: attempt.id,
    cacheControlIndex: attempt.manifest.marks.at(-1)?.at ?? null,
    stopped: true,
  };
  const results = toolCallsOf(message).map(syntheticResult);
  return [
    { type: 'run-started', runId, cause: 'continue', userMessageId },
    { type: 'message', runId, message },
    ...(results.length === 0 ? [] : [{ type: 'message', runId, message: { role: 'tool-results', id: newId(), parts: results } } as const]),
    { type: 'run-committed', runId },
  ];
}

function brokenOff(state: ChatState): { readonly attempt: AttemptState; readonly userMessageId: string } | null {
  const run = lastRun(state);
  const attempt = run === undefined ? undefined : state.attempts.get(run.attemptIds.at(-1) ?? '');
  if (run === undefined || run.userMessageId === null || !isLost(run) || attempt === undefined || attempt.end?.outcome === 'complete') {
    return null;
  }
  const hasText = partsOf(attempt).some((part) => part.type === 'text' && part.text.trim() !== '');
  return hasText ? { attempt, userMessageId: run.userMessageId } : null;
}

/** Whether a run failed or was interrupted, and left no steps from which the user can continue. */
function isLost(run: RunState): boolean {
  return (run.status === 'rolledBack' || run.status === 'interrupted') && !canContinue(run);
}

function partsOf({ reply, protocol, model }: AttemptState): AssistantMessage['parts'] {
  return replyParts(reply, { protocol, model: model.model }, 'stopped');
}
