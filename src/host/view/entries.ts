import { canContinue, lastRun } from '../../engine/chat/branch.js';
import type { AttemptState, ChatState, RunState, TimelineItem } from '../../engine/chat/fold.js';
import { messageText, type AssistantMessage, type Message, type ToolResultPart } from '../../engine/chat/message.js';
import type { Reply } from '../../engine/chat/reply.js';
import { transcript } from '../../engine/chat/transcript.js';
import { figureValue, inputTokens } from '../../engine/accounting/usage.js';
import type { AssistantEntry, EntryView, PartView, RunAction, RunNoteEntry, UsageLine } from '../../protocol/view.js';
import { contextUsed } from './contextUsed.js';

/*
 * The conversation as the panel shows it. An assistant entry has the id of its attempt, so that the reply that
 * streams in and the message it becomes are one entry.
 */

/** Derives entries; what it has derived for an attempt that has ended is kept, since that never changes. */
export class EntryViews {
  readonly #used = new WeakMap<AttemptState, AssistantEntry['contextUsed']>();
  readonly #modelLabel: (attempt: AttemptState) => string;

  constructor(modelLabel: (attempt: AttemptState) => string) {
    this.#modelLabel = modelLabel;
  }

  /** The last `limit` entries, and how many stand before them. */
  derive(state: ChatState, limit: number): { readonly entries: readonly EntryView[]; readonly earlier: number } {
    const all = this.#all(state);
    return { entries: all.slice(-limit), earlier: Math.max(0, all.length - limit) };
  }

  #all(state: ChatState): EntryView[] {
    const { unsent } = transcript(state);
    const entries: EntryView[] = [];
    let open: RunState | undefined;
    const close = (): void => {
      if (open !== undefined) {
        entries.push(...this.#unfinished(open, state), ...runNote(open, state));
        open = undefined;
      }
    };
    for (const item of state.timeline) {
      if (item.kind === 'run') {
        close();
        open = state.runs.get(item.runId);
      } else {
        if (item.message.role === 'user') {
          close();
        }
        entries.push(...this.#messageEntry(item, state, unsent));
      }
    }
    close();
    return entries;
  }

  #messageEntry(item: Extract<TimelineItem, { kind: 'message' }>, state: ChatState, unsent: ReadonlySet<string>): EntryView[] {
    const { message, at } = item;
    switch (message.role) {
      case 'user':
        return [{ kind: 'user', id: message.id, text: messageText(message), at, unsent: unsent.has(message.id) }];
      case 'assistant':
        return [this.#assistantEntry(message, at, state)];
      case 'tool-results':
        return [{ kind: 'toolResults', id: message.id, results: message.parts.map(resultView) }];
      case 'accounting':
        return [accountingEntry(message)];
      case 'system-title':
      case 'title':
      case 'system-summary':
      case 'summary':
      case 'error':
        // No event of this version writes these into a chat; they get their own look with what writes them.
        return [];
    }
  }

  #assistantEntry(message: AssistantMessage, at: number, state: ChatState): AssistantEntry {
    const attempt = state.attempts.get(message.attemptId);
    return {
      kind: 'assistant',
      id: message.attemptId,
      parts: message.parts.map((part) =>
        part.type === 'toolCall' ? { type: 'toolCall', callId: part.id, name: part.name, args: part.rawArgs } : { type: part.type, text: part.text },
      ),
      status: message.stopped ? 'stopped' : 'done',
      model: attempt === undefined ? '' : this.#modelLabel(attempt),
      at,
      usage: attempt === undefined ? null : usageLine(attempt),
      contextUsed: attempt === undefined ? null : this.#contextUsed(attempt, state),
    };
  }

  #contextUsed(attempt: AttemptState, state: ChatState): AssistantEntry['contextUsed'] {
    const known = this.#used.get(attempt);
    if (known !== undefined) {
      return known;
    }
    const used = contextUsed(attempt, state);
    this.#used.set(attempt, used);
    return used;
  }

  /** Attempts of a run without a message: streaming now, or broken off. One that brought nothing shows only in the note. */
  #unfinished(run: RunState, state: ChatState): AssistantEntry[] {
    const said = new Set(
      state.timeline.flatMap((item) =>
        item.kind === 'message' && item.message.role === 'assistant' ? [item.message.attemptId] : [],
      ),
    );
    const attempts = run.attemptIds.flatMap((id) => state.attempts.get(id) ?? []);
    return attempts
      .filter((attempt) => !said.has(attempt.id) && (run.status === 'running' || attempt.reply.length > 0))
      .map((attempt) => ({
        kind: 'assistant',
        id: attempt.id,
        parts: replyViews(attempt.reply),
        status: unfinishedStatus(run),
        model: this.#modelLabel(attempt),
        at: attempt.startedAt,
        usage: attempt.end === null ? null : usageLine(attempt),
        contextUsed: attempt.end === null ? null : this.#contextUsed(attempt, state),
      }));
  }
}

function unfinishedStatus(run: RunState): AssistantEntry['status'] {
  switch (run.status) {
    case 'running':
      return 'streaming';
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

function replyViews(reply: Reply): PartView[] {
  return reply.flatMap((part): PartView[] => {
    if (part === undefined) {
      return [];
    }
    return part.type === 'toolCall'
      ? [{ type: 'toolCall', callId: part.id, name: part.name, args: part.rawArgs }]
      : [{ type: part.type, text: part.text }];
  });
}

function usageLine(attempt: AttemptState): UsageLine | null {
  if (attempt.end === null) {
    return null;
  }
  const { usage, cost, at } = attempt.end;
  const durationMs = at - attempt.startedAt;
  if (usage === null) {
    // Nothing was reported: what was counted before sending stands, as an estimate; the rest is unknown.
    const inputTokens = attempt.manifest.totalTokens;
    return { inputTokens, cachedTokens: null, writtenTokens: null, outputTokens: null, estimated: true, cost, durationMs };
  }
  return {
    inputTokens: inputTokens(usage),
    cachedTokens: figureValue(usage.cacheReadInputTokens),
    writtenTokens: figureValue(usage.cacheCreationInputTokens),
    outputTokens: figureValue(usage.completionTokens),
    estimated: usage.promptTokens?.source === 'estimated',
    cost,
    durationMs,
  };
}

function accountingEntry(message: Extract<Message, { role: 'accounting' }>): EntryView {
  const { id, reason, discardedMessages, totals, rewindId } = message;
  return { kind: 'accounting', id, reason, discardedMessages, costSoFar: totals.cost, rewindId };
}

function resultView(part: ToolResultPart): { callId: string; name: string; text: string; isError: boolean; synthetic: boolean } {
  const { callId, name, isError, synthetic } = part;
  const text = part.content.map((content) => (content.type === 'text' ? content.text : `(${content.type})`)).join('\n');
  return { callId, name, text, isError, synthetic };
}

function runNote(run: RunState, state: ChatState): RunNoteEntry[] {
  const status = noteStatus(run);
  if (status === null) {
    return [];
  }
  const actions: RunAction[] = [];
  const isLast = lastRun(state)?.id === run.id;
  if (isLast && canContinue(run)) {
    actions.push('continue');
  }
  if (isLast || run.status === 'rolledBack') {
    actions.push('retry');
  }
  if (run.error?.kind === 'internal') {
    actions.push('showLog');
  }
  const detail = run.error?.detail ?? null;
  return [{ kind: 'runNote', id: `note-${run.id}`, status, text: noteText(run), detail, actions, userMessageId: run.userMessageId }];
}

function noteStatus(run: RunState): RunNoteEntry['status'] | null {
  switch (run.status) {
    case 'running':
    case 'committed':
      return null;
    case 'stopped':
      return 'stopped';
    case 'interrupted':
      return 'interrupted';
    case 'failed':
    case 'rolledBack':
      return 'failed';
  }
}

function noteText(run: RunState): string {
  if (run.error !== null) {
    return run.error.message;
  }
  return run.status === 'interrupted'
    ? 'Interrupted: the window closed or the extension host ended while the reply was arriving.'
    : 'Stopped.';
}
