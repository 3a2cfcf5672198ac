import { answeredId, findMessage } from '../../../engine/chat/branch.js';
import { newId } from '../../../engine/chat/order/ids.js';
import type { Compaction, CompactionPolicy } from '../../../engine/chat/slices/compaction.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { splitAtCheckpoint } from '../../../engine/chat/checkpoint.js';
import type { Plan } from '../../../engine/compaction/plan.js';
import { compactionRange, type Range } from '../../../engine/compaction/range.js';
import type { CompactionSettings } from '../../../engine/compaction/settings.js';
import type { NextRequestFigures } from '../../../engine/next/room.js';
import { failure, recordedError, toErrorRecord, toLoupeError } from '../../../engine/errors.js';
import { summaryRun, type SummaryRunInput } from '../../../engine/run/summaryRun.js';
import { STOP } from '../../../engine/run/input.js';
import type { RunClaim } from '../../../storage/windows/runClaim.js';
import type { RequestCost } from '../../request/requestCost.js';
import type { CheckpointText, CheckpointTexts } from '../../../engine/compaction/checkpointTexts.js';
import type { SummaryOrders, SummaryRequests } from './summaryRequests.js';
import { driveHousekeeping, type HousekeepingPorts } from '../runs/driveHousekeeping.js';
import type { LogFollower } from '../windows/logFollower.js';
import type { SpendGate, SpendSubject } from '../spend/spendGate.js';
import { summaryNotAsked } from '../spend/spendTexts.js';
import type { CompactionStatus } from './compactionStatus.js';

export interface SummaryWorkPorts extends HousekeepingPorts {
  readonly follower: Pick<LogFollower, 'poll' | 'whole'>;
  /** The claim of the chat's summary across all windows, so that only one window pays for a summary. */
  readonly summaryClaim: Pick<RunClaim, 'take' | 'release'>;
  readonly requests: SummaryRequests;
  readonly spending: Pick<SpendGate, 'isLimited' | 'objections' | 'ask'>;
}

type RunningSummaryStatus = Extract<CompactionStatus, { readonly kind: 'running' }>;

/** `attended`: Loupe may ask the user to approve the price. `unattended`: a price that needs approval is refused. */
export type Attendance = 'attended' | 'unattended';

/** The messages to replace up to `upTo`, and the policy that started the summary. */
export interface RequestedSummary {
  readonly upTo: string | null;
  readonly policy: CompactionPolicy;
  readonly mostTokens: number;
  /** Ids of earlier runs that belong to the summary. See `Compaction.runs`. */
  readonly runs: readonly string[];
}

/** Returns the summary to request for a plan that follows the chat's policy. */
export function summaryOfPlan(
  { to, summaryTokens }: Exclude<Plan, { case: 'none' }>,
  { policy, mostSummaryTokens }: CompactionSettings,
  runs: readonly string[],
): RequestedSummary {
  return { upTo: to, policy, mostTokens: Math.min(summaryTokens, mostSummaryTokens), runs };
}

export interface WrittenSummary {
  readonly runId: string;
  readonly text: string;
  readonly compaction: Compaction;
}

/** Writes and applies the summaries of one chat. Only one summary is written at a time, across all windows. */
export class SummaryWork {
  readonly #ports: SummaryWorkPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<unknown> } | null = null;
  #status: CompactionStatus = null;

  constructor(ports: SummaryWorkPorts) {
    this.#ports = ports;
  }

  get status(): CompactionStatus {
    return this.#status;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Runs `work` if no window is summarizing this chat. The chat shows a failure until the next call. */
  async run(upTo: string | null, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#ports.log.checkWritable();
    if (this.#running !== null) {
      throw failure('chat.summarizing');
    }
    const abort = new AbortController();
    const done = this.#claimed(() => work(abort.signal));
    this.#running = { abort, done };
    const { size } = this.#ports.log.state.compactions;
    try {
      await done;
      // Keeps a summary that was applied before the cancel.
      const isCancelled = abort.signal.reason === STOP && this.#ports.log.state.compactions.size === size;
      this.#set(isCancelled ? { kind: 'cancelled' } : null);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      const runId = this.#status?.kind === 'running' ? this.#status.runId : null;
      this.#set(error.isHarmless ? null : { kind: 'failed', upTo, error: toErrorRecord(error), runId });
      throw error;
    } finally {
      this.#running = null;
    }
  }

  /** Ends the work with a reason from `run/input.ts`, and waits until it has ended. Does nothing without work. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.ended();
  }

  /** Resolves when no work is active. Never rejects: only the caller of `run` gets an error. */
  async ended(): Promise<void> {
    await this.#running?.done.catch(() => undefined);
  }

  dismiss(): void {
    if (this.#running === null) {
      this.#set(null);
    }
  }

  /** Returns the state with all messages that the next request can contain, and with message `upTo`. */
  async complete(upTo: string | null): Promise<ChatState> {
    const { log, follower } = this.#ports;
    const lacksEnd = upTo !== null && findMessage(log.state, upTo) === null;
    return lacksEnd || splitAtCheckpoint(log.state).lacksSome ? follower.whole() : log.state;
  }

  /** Returns the size of the next request and all messages after the last summary. Rejects with `modelGone`. */
  async figures(upTo: string | null): Promise<NextRequestFigures> {
    return this.#ports.requests.next(await this.complete(upTo));
  }

  /** Replaces messages by a text, without a request to a model. */
  async put(
    { upTo, policy, mostTokens, runs }: RequestedSummary,
    what: string,
    textOf: (texts: CheckpointTexts) => CheckpointText,
  ): Promise<void> {
    const { log, requests, clock, random } = this.#ports;
    const state = await this.complete(upTo);
    const range = compactionRange(state, upTo);
    const { text, lines, tokens } = textOf(await requests.texts(state, range, mostTokens));
    const summaryId = newId(clock, random);
    const made = { id: newId(clock, random), policy, case: what, from: range.from, to: range.to, summaryId, tokens, lines };
    const compaction = withRuns(made, runs);
    await log.record(
      [
        { type: 'message', runId: null, message: { role: 'summary', id: summaryId, text } },
        ...compactedEvents({ runId: null, compaction }, answeredIn(state, range)),
      ],
      'durable',
    );
  }

  /** Applies a summary with this text, or changes the text of the current summary. Keeps `lines` word for word. */
  async rewrite(compaction: Compaction, { text, lines }: Pick<CheckpointText, 'text' | 'lines'>): Promise<void> {
    const { log, requests } = this.#ports;
    const { summaryId } = compaction;
    if (summaryId === null) {
      throw failure('chat.noSummary');
    }
    const after = await requests.checkpointTokens(log.state, text);
    await log.record(
      [
        // Logs the compaction first, so that the second event for the same summary counts as an edit.
        { type: 'compacted', runId: null, compaction: { ...compaction, tokens: { ...compaction.tokens, after }, lines } },
        { type: 'message', runId: null, message: { role: 'summary', id: summaryId, text } },
      ],
      'durable',
    );
  }

  /** Asks a model for a summary and applies it. Rejects with the failure. Resolves when stopped. */
  async write(wanted: RequestedSummary, attendance: Attendance, signal: AbortSignal): Promise<void> {
    await this.#write(wanted, { attendance, signal }, (runId, compaction, answered) => compactedEvents({ runId, compaction }, answered));
  }

  /** Asks a model for a summary without applying it. Null when stopped. Rejects with the failure, as `run` does. */
  async draft(wanted: RequestedSummary): Promise<WrittenSummary | null> {
    let written: WrittenSummary | null = null;
    await this.run(wanted.upTo, async (signal) => {
      written = await this.#write(wanted, { attendance: 'attended', signal }, () => []);
    });
    return written;
  }

  async #write(
    { upTo, policy, mostTokens, runs }: RequestedSummary,
    { attendance, signal }: { readonly attendance: Attendance; readonly signal: AbortSignal },
    events: (runId: string, compaction: Compaction, answered: string | null) => readonly NewEvent[],
  ): Promise<WrittenSummary | null> {
    const { requests, clock, random } = this.#ports;
    const state = await this.complete(upTo);
    const range = compactionRange(state, upTo);
    const source = await requests.source(state, range, mostTokens);
    if (!(await this.#mayAsk('summary', source, { attendance, signal }))) {
      return null;
    }
    const runId = newId(clock, random);
    let written: WrittenSummary | null = null;
    const { length: messages } = range.messages;
    await this.#ask(source, { runId, policy, messages, signal }, (summary) => {
      const { text, lines, tokens } = source.finish(summary);
      const { from, to } = range;
      const id = newId(clock, random);
      return {
        text,
        events: (summaryId) => {
          const made = { id, from, to, policy, case: 'summarize', lines, tokens, summaryId };
          written = { runId, text, compaction: withRuns(made, runs) };
          return events(runId, written.compaction, answeredIn(state, range));
        },
      };
    });
    return written;
  }

  /** Asks a model to shorten a user message. Null when stopped. Rejects with the failure, as `run` does. */
  async shorten(text: string, mostTokens: number): Promise<string | null> {
    const { requests, log, clock, random } = this.#ports;
    let shortened: string | null = null;
    await this.run(null, async (signal) => {
      const orders = await requests.shortening(log.state, text, mostTokens);
      if (!(await this.#mayAsk('shortening', orders, { attendance: 'attended', signal }))) {
        return;
      }
      const runId = newId(clock, random);
      await this.#ask(orders, { runId, policy: 'manual', messages: null, signal }, (reply) => {
        shortened = reply;
        return { text: reply, events: () => [] };
      });
    });
    return shortened;
  }

  /** Rejects when the price of the planned summary needs approval, as `write` does for unattended work. */
  async refuseDear({ upTo, mostTokens }: RequestedSummary, signal: AbortSignal): Promise<void> {
    if (this.#ports.spending.isLimited) {
      const state = await this.complete(upTo);
      const source = await this.#ports.requests.source(state, compactionRange(state, upTo), mostTokens);
      await this.#mayAsk('summary', source, { attendance: 'unattended', signal });
    }
  }

  /** Returns whether the request may be sent. If the user rejects the price, cancels. Unattended work fails instead. */
  async #mayAsk(
    about: SpendSubject,
    { cost: costOf }: Pick<SummaryOrders, 'cost'>,
    { attendance, signal }: { readonly attendance: Attendance; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { spending } = this.#ports;
    if (!spending.isLimited) {
      return true;
    }
    const cost: RequestCost = await costOf();
    const [objection] = await spending.objections(cost);
    if (objection === undefined) {
      return true;
    }
    if (attendance === 'unattended') {
      throw summaryNotAsked(objection, cost);
    }
    const answer = await spending.ask({ about, cost, objection }, null, signal);
    if (answer === 'refused') {
      this.#running?.abort.abort(STOP);
    }
    return answer !== 'refused';
  }

  async #ask(
    orders: SummaryOrders,
    { runId, policy, messages, signal }: Pick<RunningSummaryStatus, 'runId' | 'policy' | 'messages'> & { readonly signal: AbortSignal },
    finish: SummaryRunInput['finish'],
  ): Promise<void> {
    const { clock, random } = this.#ports;
    const { instruction, mostTokens, parts } = orders;
    this.#set({ kind: 'running', runId, policy, messages, startedAt: clock.now(), mostTokens });
    const steps = summaryRun(
      {
        runId,
        asks: { id: newId(clock, random), text: instruction },
        parts,
        prepare: (attemptId, part, soFar) => orders.prepare(attemptId, { part, soFar }),
        finish,
        signal,
      },
      { clock, random },
    );
    const outcome = await driveHousekeeping(runId, steps, this.#ports);
    if (outcome.outcome === 'failed') {
      throw recordedError(outcome.error);
    }
  }

  /** Shows the offer, plan or draft of a summary, or that a preview was closed because the chat changed. */
  show(status: Extract<CompactionStatus, { readonly kind: 'due' | 'planned' | 'drafted' | 'outdated' }>): void {
    this.#set(status);
  }

  #set(status: CompactionStatus): void {
    this.#status = status;
    this.#ports.log.changed('state');
  }

  async #claimed(work: () => Promise<void>): Promise<void> {
    const { summaryClaim, follower } = this.#ports;
    if (!(await summaryClaim.take())) {
      throw failure('chat.summarizingElsewhere');
    }
    try {
      await follower.poll();
      await work();
    } finally {
      await summaryClaim.release();
    }
  }
}

/** Returns the id of the user message that is being answered, if it is in the range and not pinned. */
function answeredIn(state: ChatState, { messages }: Range): string | null {
  const answered = answeredId(state);
  return answered === null || state.pinned.has(answered) || !messages.some(({ id }) => id === answered) ? null : answered;
}

/** Applies a summary. Pins the message that is being answered, so that requests keep its text and images. */
function compactedEvents(
  { runId, compaction }: { readonly runId: string | null; readonly compaction: Compaction },
  answered: string | null,
): NewEvent[] {
  return answered === null
    ? [{ type: 'compacted', runId, compaction }]
    : [
        { type: 'compacted', runId, compaction: { ...compaction, pinned: answered } },
        { type: 'pinned', messageId: answered },
      ];
}

function withRuns(made: Compaction, runs: readonly string[]): Compaction {
  return runs.length === 0 ? made : { ...made, runs };
}
