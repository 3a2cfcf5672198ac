import { assertNever } from '../../engine/assertNever.js';
import { findMessage } from '../../engine/chat/branch.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { isHousekeeping, type RunState } from '../../engine/chat/slices/runs.js';
import type { ChatState } from '../../engine/chat/state.js';
import { answeredAttempts } from '../../engine/chat/timeline.js';
import {
  isConversation,
  messageText,
  type AccountingMessage,
  type AssistantMessage,
  type AssistantPart,
  type ToolResultPart,
} from '../../engine/chat/message.js';
import type { ReplyPart } from '../../engine/chat/reply.js';
import { attemptStatus, messageStatus, unfinishedAttempts } from '../../engine/chat/replyStatus.js';
import { transcript } from '../../engine/chat/transcript.js';
import { figureValue, inputTokens } from '../../engine/accounting/usage.js';
import type { AssistantEntry, EntryView, PartView, UsageLine } from '../../protocol/view.js';
import { contextUsed } from './contextUsed.js';
import { countConversation, entryId, exchangesAround, isShown, placeOf, type ExchangeRange, type ShownMessage } from './exchanges.js';
import { resultView } from './resultView.js';
import { type Note, retryEntry, runNote } from './runNotes.js';

/*
 * The conversation as the panel shows it. An assistant entry has the id of its attempt, so that the reply that
 * streams in and the message it becomes are one entry.
 */

/** Derives entries; what it has derived for an attempt that has ended, or for a result, is kept, since that never changes. */
export class EntryViews {
  readonly #used = new WeakMap<AttemptState, AssistantEntry['contextUsed']>();
  readonly #results = new WeakMap<ToolResultPart, ReturnType<typeof resultView>>();
  /** Of a reply that streams, the same view for the same part: comparing states looks only into what has grown. */
  readonly #parts = new WeakMap<ReplyPart, PartView>();
  readonly #modelLabel: (attempt: AttemptState) => string;

  constructor(modelLabel: (attempt: AttemptState) => string) {
    this.#modelLabel = modelLabel;
  }

  /** The last `limit` entries, and the messages that wait behind them. */
  derive(state: ChatState, limit: number): ShownEntries {
    const { timeline } = state;
    const range = exchangesAround(timeline, timeline.length, { before: limit, after: 0 });
    const outline = this.#outline(state, range);
    const shown = this.#shown(state, range, { outline, first: Math.max(0, outline.length - limit), end: outline.length });
    return { ...shown, entries: [...shown.entries, ...queuedEntries(state)] };
  }

  /** An entry and so many before and after it, as far as they are here; null when there is no such entry. */
  around(state: ChatState, { id, before, after }: EntriesAround): ShownEntries | null {
    const at = placeOf(state, id);
    const range = exchangesAround(state.timeline, at, { before, after });
    const outline = at === -1 ? [] : this.#outline(state, range);
    const index = outline.findIndex((entry) => entry.id === id);
    const [first, end] = [Math.max(0, index - before), Math.min(outline.length, index + after + 1)];
    return index === -1 ? null : this.#shown(state, range, { outline, first, end });
  }

  /**
   * The entry of a message, or of a reply that became none by the id of its attempt, and how many entries there are
   * from it to the end; null when there is none.
   */
  find(state: ChatState, id: string): { readonly entryId: string; readonly fromEnd: number } | null {
    if (state.queued.has(id)) {
      return { entryId: id, fromEnd: 1 };
    }
    const message = findMessage(state, id);
    const sought = message?.role === 'assistant' ? message.attemptId : id;
    const at = placeOf(state, sought);
    const toEnd = { from: exchangesAround(state.timeline, at, { before: 0, after: 0 }).from, to: state.timeline.length };
    const outline = at === -1 ? [] : this.#outline(state, toEnd);
    const index = outline.findIndex((entry) => entry.id === sought);
    return index === -1 ? null : { entryId: sought, fromEnd: outline.length - index };
  }

  /** Derives those of `outline`, which is that of `range`, from `first` on and before `end`, and counts the others. */
  #shown(
    state: ChatState,
    range: ExchangeRange,
    { outline, first, end }: { readonly outline: readonly OutlineEntry[]; readonly first: number; readonly end: number },
  ): ShownEntries {
    const before = { from: 0, to: range.from };
    const after = { from: range.to, to: state.timeline.length };
    const earlier = this.#hidden(state, before, outline.slice(0, first));
    const notRead = state.extent === 'end' ? state.earlier.messages : 0;
    return {
      entries: outline.slice(first, end).map(({ derive }) => derive()),
      earlier: notRead === 0 ? earlier.shown : notRead + earlier.messages,
      later: this.#hidden(state, after, outline.slice(end)).shown,
    };
  }

  /** How many messages are not shown, and what is said of them: notes alone can be shown too. */
  #hidden(state: ChatState, range: ExchangeRange, outline: readonly OutlineEntry[]): { readonly messages: number; readonly shown: number } {
    const messages = countConversation(state.timeline, range) + outline.filter(({ isMessage }) => isMessage).length;
    return { messages, shown: messages === 0 ? outline.length + this.#outline(state, range).length : messages };
  }

  /** The entries of whole exchanges in order, each as what derives it. */
  #outline(state: ChatState, { from, to }: ExchangeRange): OutlineEntry[] {
    const timeline = state.timeline.slice(from, to);
    const { unsent } = transcript({ ...state, timeline });
    const said = answeredAttempts(timeline);
    const outline: OutlineEntry[] = [];
    let open: RunState | undefined;
    const close = (): void => {
      if (open !== undefined) {
        const notes = [...this.#unfinished(open, state, said), ...retryEntry(open, state), ...runNote(open, state)];
        outline.push(...notes.map(({ id, derive }) => ({ id, isMessage: false, derive })));
        open = undefined;
      }
    };
    for (const item of timeline) {
      const run = item.runId === null ? undefined : state.runs.get(item.runId);
      if (run !== undefined && isHousekeeping(run)) {
        continue;
      }
      if (item.kind === 'run') {
        close();
        open = run;
        continue;
      }
      const { message } = item;
      if (message.role === 'user') {
        close();
      }
      if (isShown(message)) {
        outline.push({
          id: entryId(message),
          isMessage: isConversation(message),
          derive: () => this.#messageEntry(item, message, { state, unsent }),
        });
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
        return { kind: 'user', id: message.id, text: messageText(message), at, status: unsent.has(message.id) ? 'unsent' : 'sent' };
      case 'assistant':
        return this.#assistantEntry(message, at, state);
      case 'tool-results':
        return { kind: 'toolResults', id: message.id, results: message.parts.map((part) => this.#resultView(part)) };
      case 'accounting':
        return accountingEntry(message);
      default:
        return assertNever(message);
    }
  }

  #resultView(part: ToolResultPart): ReturnType<typeof resultView> {
    const known = this.#results.get(part) ?? resultView(part);
    this.#results.set(part, known);
    return known;
  }

  #partView(part: ReplyPart): PartView {
    const known = this.#parts.get(part) ?? partView(part);
    this.#parts.set(part, known);
    return known;
  }

  #assistantEntry(message: AssistantMessage, at: number, state: ChatState): AssistantEntry {
    const attempt = state.attempts.get(message.attemptId);
    return {
      kind: 'assistant',
      id: message.attemptId,
      parts: message.parts.map(partView),
      status: messageStatus(message, attempt),
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
    // What it rests on may not have been read yet.
    if (used !== null || state.extent === 'whole') {
      this.#used.set(attempt, used);
    }
    return used;
  }

  /**
   * Attempts of a run without a message: streaming now, or broken off. One that ended without having brought anything
   * shows only in the note, or as the wait for the next one.
   */
  #unfinished(run: RunState, state: ChatState, said: ReadonlySet<string>): Note[] {
    return unfinishedAttempts(run, state.attempts, said).map((attempt) => ({
      id: attempt.id,
      derive: () => this.#unfinishedEntry(run, attempt, state),
    }));
  }

  #unfinishedEntry(run: RunState, attempt: AttemptState, state: ChatState): AssistantEntry {
    return {
      kind: 'assistant',
      id: attempt.id,
      parts: attempt.reply.flatMap((part) => (part === undefined ? [] : this.#partView(part))),
      status: attemptStatus(run, attempt),
      model: this.#modelLabel(attempt),
      at: attempt.startedAt,
      usage: attempt.end === null ? null : usageLine(attempt),
      contextUsed: attempt.end === null ? null : this.#contextUsed(attempt, state),
    };
  }
}

/** A part of the conversation, and how many messages stand before and after it. */
export interface ShownEntries {
  readonly entries: readonly EntryView[];
  readonly earlier: number;
  readonly later: number;
}

/** An entry by its id, and how many before and after it belong to it. */
export interface EntriesAround {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}

interface OutlineEntry {
  readonly id: string;
  /** Whether it counts as a message: notes and results belong to one. */
  readonly isMessage: boolean;
  readonly derive: () => EntryView;
}

function queuedEntries({ queued }: ChatState): EntryView[] {
  return [...queued.values()].map(({ message, at }) => ({
    kind: 'user',
    id: message.id,
    text: messageText(message),
    at,
    status: 'queued',
  }));
}

function partView(part: ReplyPart | AssistantPart): PartView {
  return part.type === 'toolCall'
    ? { type: 'toolCall', callId: part.id, name: part.name, args: part.rawArgs }
    : { type: part.type, text: part.text };
}

/** Null until the attempt has ended, and when it may well have used nothing. */
function usageLine({ end, startedAt, inheritedFrom }: AttemptState): UsageLine | null {
  const usage = end?.usage ?? null;
  if (end === null || usage === null) {
    return null;
  }
  return {
    inputTokens: inputTokens(usage),
    cachedTokens: figureValue(usage.cacheReadInputTokens),
    writtenTokens: figureValue(usage.cacheCreationInputTokens),
    outputTokens: figureValue(usage.completionTokens),
    inputEstimated: usage.promptTokens?.source === 'estimated',
    outputEstimated: usage.completionTokens?.source === 'estimated',
    cost: end.cost?.usd ?? null,
    durationMs: end.at - startedAt,
    inherited: inheritedFrom !== null,
  };
}

function accountingEntry(message: AccountingMessage): EntryView {
  const { id, reason, discardedMessages, totals, rewindId } = message;
  return { kind: 'accounting', id, reason, discardedMessages, costSoFar: totals.cost, rewindId };
}
