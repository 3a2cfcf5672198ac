import { assertNever } from '../../engine/assertNever.js';
import { canContinue, lastRun } from '../../engine/chat/branch.js';
import type { AttemptState, ChatState, RunState } from '../../engine/chat/fold.js';
import {
  isSent,
  messageText,
  type AccountingMessage,
  type AssistantMessage,
  type Message,
  type ToolResultPart,
  type ToolResultsMessage,
  type UserMessage,
} from '../../engine/chat/message.js';
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

  /** The last `limit` entries, and how many stand before them. Only what is shown is derived. */
  derive(state: ChatState, limit: number): { readonly entries: readonly EntryView[]; readonly earlier: number } {
    const all = this.#outline(state);
    return { entries: all.slice(-limit).map((derive) => derive()), earlier: Math.max(0, all.length - limit) };
  }

  /** All entries in order, each as what derives it. */
  #outline(state: ChatState): (() => EntryView)[] {
    const { unsent } = transcript(state);
    const said = attemptsWithMessage(state);
    const outline: (() => EntryView)[] = [];
    let open: RunState | undefined;
    const close = (): void => {
      if (open !== undefined) {
        outline.push(...this.#unfinished(open, state, said), ...runNote(open, state));
        open = undefined;
      }
    };
    for (const item of state.timeline) {
      if (item.kind === 'run') {
        close();
        open = state.runs.get(item.runId);
        continue;
      }
      const { message } = item;
      if (message.role === 'user') {
        close();
      }
      if (isShown(message)) {
        outline.push(() => this.#messageEntry(item, message, { state, unsent }));
      }
    }
    close();
    return outline;
  }

  #messageEntry(
    { at }: { readonly at: number },
    message: ShownMessage,
    { state, unsent }: { readonly state: ChatState; readonly unsent: ReadonlySet<string> },
  ): EntryView {
    switch (message.role) {
      case 'user':
        return { kind: 'user', id: message.id, text: messageText(message), at, unsent: unsent.has(message.id) };
      case 'assistant':
        return this.#assistantEntry(message, at, state);
      case 'tool-results':
        return { kind: 'toolResults', id: message.id, results: message.parts.map(resultView) };
      case 'accounting':
        return accountingEntry(message);
      default:
        return assertNever(message);
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
      status: finishedStatus(message, attempt),
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
  #unfinished(run: RunState, state: ChatState, said: ReadonlySet<string>): (() => AssistantEntry)[] {
    const attempts = run.attemptIds.flatMap((id) => state.attempts.get(id) ?? []);
    return attempts
      .filter((attempt) => !said.has(attempt.id) && (run.status === 'running' || attempt.reply.length > 0))
      .map((attempt) => () => ({
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

/** Messages that have an entry. No event of this version writes the other roles into a chat. */
type ShownMessage = UserMessage | AssistantMessage | ToolResultsMessage | AccountingMessage;

function isShown(message: Message): message is ShownMessage {
  return isSent(message) || message.role === 'accounting';
}

function attemptsWithMessage({ timeline }: ChatState): ReadonlySet<string> {
  const messages = timeline.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
  return new Set(messages.flatMap((message) => (message.role === 'assistant' ? [message.attemptId] : [])));
}

function finishedStatus({ stopped }: AssistantMessage, attempt: AttemptState | undefined): AssistantEntry['status'] {
  if (stopped) {
    return 'stopped';
  }
  return attempt?.end?.stopReason === 'length' ? 'cutOff' : 'done';
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

function accountingEntry(message: AccountingMessage): EntryView {
  const { id, reason, discardedMessages, totals, rewindId } = message;
  return { kind: 'accounting', id, reason, discardedMessages, costSoFar: totals.cost, rewindId };
}

function resultView(part: ToolResultPart): { callId: string; name: string; text: string; isError: boolean; synthetic: boolean } {
  const { callId, name, isError, synthetic } = part;
  const text = part.content.map((content) => (content.type === 'text' ? content.text : `(${content.type})`)).join('\n');
  return { callId, name, text, isError, synthetic };
}

function runNote(run: RunState, state: ChatState): (() => RunNoteEntry)[] {
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
  const { id, userMessageId } = run;
  return [() => ({ kind: 'runNote', id: `note-${id}`, status, text: noteText(run), detail, actions, userMessageId })];
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
    : 'You stopped this; what had arrived is kept.';
}
