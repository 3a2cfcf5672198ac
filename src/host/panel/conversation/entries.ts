import { assertNever } from '../../../engine/assertNever.js';
import { findMessage, unfinishedReplyId } from '../../../engine/chat/branch.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { answeredAttempts } from '../../../engine/chat/timeline.js';
import {
  type AssistantMessage,
  type Message,
  type SummaryMessage,
  type ToolResultsMessage,
  isConversation,
} from '../../../engine/chat/message/message.js';
import type { ReplyPart } from '../../../engine/chat/message/reply.js';
import { attemptStatus, messageStatus, unfinishedAttempts } from '../../../engine/chat/replyStatus.js';
import { type ExcludedParts, excludedParts, lacksAllCalls } from '../../../engine/chat/excludedParts.js';
import { transcript } from '../../../engine/chat/transcript.js';
import type { AssistantEntry, EntryView, FailedAttempt, PartView } from '../../../protocol/panel/entries.js';
import { lowLimits } from '../../chat/providerLimits.js';
import { contextUsed } from '../nextRequest/contextUsed.js';
import {
  type ShownMessage,
  type TurnRange,
  countConversation,
  entryId,
  exchangesAround,
  isShown,
  shownAs,
  timelineIndex,
} from '../../../engine/chat/shownMessages.js';
import { accountingEntry, type OutlineEntry, VersionViews, withFork, withLastReturns } from './branchViews.js';
import { sentImageTokens, shownContent, queuedEntries } from './userEntries.js';
import { type NameOfModel, housekeepingNotes } from './summaryEntry.js';
import { type CallStep, CallViews, callSteps, arrivedPart, brokenOffParts, messageParts, usageLine, writtenFiles } from './replyViews.js';
import type { TurnSteps } from '../../../protocol/panel/turnSteps.js';
import { ShownTurnSteps } from './turnSteps.js';
import { FailedAttempts, isShownByRetry } from './failedAttempts.js';
import { type Note, endNotes, failuresLine } from './runNotes.js';

/*
 * The entries of the conversation in the panel. An assistant entry has the id of its attempt, so a streaming reply and
 * its later message are the same entry.
 */

/** Derives the entries of a chat. Caches the views of tool results and ended attempts, which never change. */
export class EntryViews {
  readonly #used = new WeakMap<AttemptState, AssistantEntry['contextUsed']>();
  readonly #calls = new CallViews();
  /** Views of the parts of streaming replies. An unchanged part keeps its view, so that states are compared fast. */
  readonly #parts = new WeakMap<ReplyPart, PartView>();
  readonly #versions = new VersionViews();
  readonly #steps = new ShownTurnSteps();
  readonly #modelName: NameOfModel;

  constructor(modelName: NameOfModel) {
    this.#modelName = modelName;
  }

  /** Returns the last `limit` entries, then the queued messages. */
  derive(state: ChatState, limit: number): ShownEntries {
    const { timeline } = state;
    const range = exchangesAround(timeline, timeline.length, { before: limit, after: 0 });
    const outline = this.#outline(state, range);
    return this.#shown(state, range, { outline, first: Math.max(0, outline.length - limit), end: outline.length }, queuedEntries(state));
  }

  /** Returns an entry with `before` and `after` loaded entries around it; null when the entry does not exist. */
  around(state: ChatState, { id, before, after }: EntriesAround): ShownEntries | null {
    const at = timelineIndex(state, id);
    const range = exchangesAround(state.timeline, at, { before, after });
    const outline = at === -1 ? [] : this.#outline(state, range);
    const index = outline.findIndex((entry) => entry.id === id);
    const [first, end] = [Math.max(0, index - before), Math.min(outline.length, index + after + 1)];
    return index === -1 ? null : this.#shown(state, range, { outline, first, end }, []);
  }

  /** Finds the entry of a message, or of an attempt without a message. `fromEnd`: its place, counted from the end. */
  find(state: ChatState, id: string): { readonly entryId: string; readonly fromEnd: number } | null {
    if (state.queued.has(id)) {
      return { entryId: id, fromEnd: 1 };
    }
    const message = findMessage(state, id);
    const sought = message === null ? id : shownAs(state, message);
    const at = timelineIndex(state, sought);
    const toEnd = { from: exchangesAround(state.timeline, at, { before: 0, after: 0 }).from, to: state.timeline.length };
    const outline = at === -1 ? [] : this.#outline(state, toEnd);
    const index = outline.findIndex((entry) => entry.id === sought);
    return index === -1 ? null : { entryId: sought, fromEnd: outline.length - index };
  }

  /**
   * Derives the entries `first` up to, but not including, `end` of the outline. Adds the queued messages. Counts
   * earlier and later messages. Counts the steps of turns when first read: new text of a reply does not change them.
   */
  #shown(
    state: ChatState,
    range: TurnRange,
    { outline, first, end }: { readonly outline: readonly OutlineEntry[]; readonly first: number; readonly end: number },
    queued: readonly EntryView[],
  ): ShownEntries {
    const before = { from: 0, to: range.from };
    const after = { from: range.to, to: state.timeline.length };
    const earlier = this.#hidden(state, before, outline.slice(0, first));
    const notRead = state.extent === 'end' ? state.earlier.messages : 0;
    const entries = [...outline.slice(first, end).map(({ derive }) => derive()), ...queued];
    const steps = this.#steps;
    return {
      entries,
      get turns() {
        return steps.of(outline, { first, end, entries }, state);
      },
      earlier: notRead === 0 ? earlier.shown : notRead + earlier.messages,
      later: this.#hidden(state, after, outline.slice(end)).shown,
    };
  }

  /** Returns the number of hidden messages. `shown`: the number to display, of notes if only notes are hidden. */
  #hidden(state: ChatState, range: TurnRange, outline: readonly OutlineEntry[]): { readonly messages: number; readonly shown: number } {
    const messages = countConversation(state.timeline, range) + outline.filter(({ isMessage }) => isMessage).length;
    return { messages, shown: messages === 0 ? outline.length + this.#outline(state, range).length : messages };
  }

  /** Returns the entries of whole turns in order. The view of an entry is derived later, only if it is visible. */
  #outline(state: ChatState, range: TurnRange): OutlineEntry[] {
    const { from, to } = range;
    const timeline = withLastReturns(state.timeline.slice(from, to));
    const { unsent, messages } = transcript({ ...state, timeline });
    const excluded = excludedParts({ pinned: [], messages }, state);
    const said = answeredAttempts(timeline);
    const outline: OutlineEntry[] = [];
    let open: RunState | undefined;
    const failed = new FailedAttempts(state, range);
    const push = (notes: readonly Note[]): void => {
      outline.push(...notes.map(({ id, derive }) => ({ id, isMessage: false, derive })));
    };
    const close = (): void => {
      if (open !== undefined) {
        failed.passTo(open, null);
        push(this.#endOf(open, state, { said, failed }));
        open = undefined;
      }
    };
    const stepOf = callSteps(timeline);
    for (const item of timeline) {
      const run = item.runId === null ? undefined : state.runs.get(item.runId);
      const notes = housekeepingNotes(item, state, this.#modelName);
      if (notes !== null) {
        push(notes);
        continue;
      }
      if (item.kind === 'run') {
        close();
        open = run;
        failed.begin(run);
        continue;
      }
      const { message } = item;
      if (message.role === 'user') {
        close();
      }
      const failures = failed.takeFor(message, open);
      if (isEntry(message, state)) {
        outline.push({
          id: entryId(message),
          isMessage: isConversation(message),
          derive: () => this.#messageEntry(item, message, { state, unsent, excluded, stepOf, failures }),
        });
      }
    }
    close();
    return withFork(outline, state, { timeline, isFirst: from === 0 && state.extent === 'whole' });
  }

  #messageEntry(
    { at, runId }: { readonly at: number; readonly runId: string | null },
    message: EntryMessage,
    { state, unsent, excluded, stepOf, failures }: EntryContext,
  ): EntryView {
    switch (message.role) {
      case 'user':
        return {
          kind: 'user',
          id: message.id,
          ...shownContent(message),
          imageTokens: sentImageTokens(message, runId, state),
          status: unsent.has(message.id) ? 'unsent' : 'sent',
          isPinned: state.pinned.has(message.id),
          isExcluded: excluded.messages.has(message.id),
          versions: this.#versions.of(state).get(message.id) ?? null,
        };
      case 'assistant': {
        const ending = { canContinue: !message.stopped && unfinishedReplyId(state) === message.id };
        return { ...this.#assistantEntry(stepOf(message, runId), at, state), excluded: excludedOf(message, excluded), ...ending, failures };
      }
      case 'accounting':
        return accountingEntry(message);
      default:
        return assertNever(message);
    }
  }

  #partView(part: ReplyPart): PartView {
    const known = this.#parts.get(part) ?? arrivedPart(part);
    this.#parts.set(part, known);
    return known;
  }

  #assistantEntry(step: CallStep, at: number, state: ChatState): AssistantEntry {
    const { message } = step;
    const attempt = state.attempts.get(message.attemptId);
    return {
      id: message.attemptId,
      isPinned: state.pinned.has(message.id),
      parts: messageParts(message.parts, attempt?.end ?? null, (part) => this.#calls.of(part, step, state)),
      files: writtenFiles(step, state),
      status: messageStatus(message, attempt),
      contextUsed: attempt === undefined ? null : this.#contextUsed(attempt, state),
      ...this.#ofAttempt(attempt, at),
    };
  }

  /** Returns what a reply shows about its attempt. The attempt is undefined if the log has no record of the request. */
  #ofAttempt(attempt: AttemptState | undefined, at: number) {
    const { finishReason = null, answeredBy = null, extras = [] } = attempt?.end ?? {};
    return {
      ...({ kind: 'assistant', excluded: null, finishReason, answeredBy, canContinue: false, failures: [] } as const),
      extras: extras.filter((extra) => extra.type === 'source' || extra.blob === null),
      model: attempt === undefined ? null : this.#modelName(attempt),
      at: attempt?.startedAt ?? at,
      usage: attempt === undefined ? null : usageLine(attempt),
      limits: attempt === undefined ? [] : lowLimits(attempt),
    };
  }

  #contextUsed(attempt: AttemptState, state: ChatState): AssistantEntry['contextUsed'] {
    const known = this.#used.get(attempt);
    if (known !== undefined) {
      return known;
    }
    const used = contextUsed(attempt, state);
    // Null may mean that earlier records, which this record depends on, are not loaded yet.
    if (used !== null || state.extent === 'whole') {
      this.#used.set(attempt, used);
    }
    return used;
  }

  /** Returns the entries at the end of a run. A failed request of a running reply is a line above the reply. */
  #endOf(run: RunState, state: ChatState, { said, failed }: { said: ReadonlySet<string>; failed: FailedAttempts }): Note[] {
    const unfinished = this.#unfinished(run, state, said);
    if (failed.isShownLater(run)) {
      return unfinished;
    }
    const isStreaming = run.status === 'running' && unfinished.length > 0;
    const failures = failed.take();
    return isStreaming ? [...failuresLine(run, failures), ...unfinished] : [...unfinished, ...endNotes(run, state, failures)];
  }

  /**
   * Returns entries for a run's attempts without a message, which are streaming or interrupted. An ended attempt
   * without output has no entry: the note of the run, or the note on the next attempt, shows the attempt.
   */
  #unfinished(run: RunState, state: ChatState, said: ReadonlySet<string>): Note[] {
    return unfinishedAttempts(run, state.attempts, said).map((attempt) => ({
      id: attempt.id,
      derive: () => this.#unfinishedEntry(run, attempt, state),
    }));
  }

  #unfinishedEntry(run: RunState, attempt: AttemptState, state: ChatState): AssistantEntry {
    const { id, startedAt, end } = attempt;
    const parts = attempt.reply.filter((part) => part !== undefined);
    return {
      id,
      isPinned: false,
      parts: end === null ? parts.map((part) => this.#partView(part)) : brokenOffParts(parts, end),
      files: [],
      status: attemptStatus(run, attempt),
      contextUsed: end === null ? null : this.#contextUsed(attempt, state),
      ...this.#ofAttempt(attempt, startedAt),
    };
  }
}

type EntryMessage = Exclude<ShownMessage, SummaryMessage | ToolResultsMessage>;

/** Whether a message has an entry of its own. Tool results are in the rows of their calls. */
function isEntry(message: Message, state: ChatState): message is EntryMessage {
  return (
    isShown(message) &&
    message.role !== 'summary' &&
    message.role !== 'tool-results' &&
    !(message.role === 'accounting' && isShownByRetry(message, state))
  );
}

interface EntryContext {
  readonly state: ChatState;
  readonly unsent: ReadonlySet<string>;
  readonly excluded: ExcludedParts;
  readonly stepOf: ReturnType<typeof callSteps>;
  readonly failures: readonly FailedAttempt[];
}

function excludedOf(message: AssistantMessage, { messages, calls }: ExcludedParts): AssistantEntry['excluded'] {
  if (messages.has(message.id)) {
    return 'turn';
  }
  const out = calls.get(message.id);
  return out === undefined ? null : lacksAllCalls(message, out) ? 'calls' : { callIds: [...out.keys()] };
}

export interface ShownEntries {
  readonly entries: readonly EntryView[];
  /** The steps of the shown turns, by the id of their first shown step. */
  readonly turns: Readonly<Record<string, TurnSteps>>;
  readonly earlier: number;
  readonly later: number;
}

export interface EntriesAround {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}
