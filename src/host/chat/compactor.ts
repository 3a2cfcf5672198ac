import { newId } from '../../engine/chat/ids.js';
import { breakdown } from '../../engine/chat/interruption.js';
import { activeCompaction, type CompactionPolicy } from '../../engine/chat/slices/compaction.js';
import { findMessage } from '../../engine/chat/branch.js';
import { compacted } from '../../engine/compaction/checkpoint.js';
import { isDue, ladder, planned, tokensUpTo, triggerTokens } from '../../engine/compaction/plan.js';
import { summaryBudget } from '../../engine/compaction/summaryBudget.js';
import type { ChatState } from '../../engine/chat/state.js';
import { compactionRange } from '../../engine/compaction/range.js';
import { failure, recordedError, toErrorRecord, toLoupeError, type ErrorRecord, type LoupeError } from '../../engine/errors.js';
import type { Clock, RandomHex } from '../../engine/ports.js';
import type { RunStep } from '../../engine/run/input.js';
import { SHUT_DOWN, STOP } from '../../engine/run/input.js';
import { summaryRun, type SummaryOutcome } from '../../engine/run/summaryRun.js';
import type { RunClaim } from '../../storage/runClaim.js';
import type { SummaryRequests } from '../request/summaryRequests.js';
import type { LogFollower } from './logFollower.js';
import type { SessionLog } from './sessionLog.js';

/** What goes on about the chat's summary; null when nothing does. */
export type CompactionStatus =
  | {
      readonly kind: 'running';
      readonly runId: string;
      /** Number of messages that it replaces. */
      readonly messages: number;
      /** Epoch milliseconds. */
      readonly startedAt: number;
      /** Most tokens of the summary. */
      readonly mostTokens: number;
    }
  | { readonly kind: 'failed'; readonly upTo: string | null; readonly error: ErrorRecord }
  | null;

export interface CompactorPorts {
  readonly log: SessionLog;
  readonly follower: Pick<LogFollower, 'poll' | 'whole'>;
  /** The claim to write the chat's summary: one window at a time pays for it. */
  readonly claim: Pick<RunClaim, 'take' | 'release'>;
  readonly requests: SummaryRequests;
  readonly clock: Clock;
  readonly random: RandomHex;
  logError(error: LoupeError): void;
}

/** What is to be replaced, and which policy wants it. */
interface Wanted {
  readonly upTo: string | null;
  readonly policy: CompactionPolicy;
}

/** Pause after a reply before the check, in ms: the reference's own. */
const CHECK_DELAY_MS = 500;

/** A conversation this many times above the trigger cannot wait for a summary that failed: the reference's own factor. */
const EMERGENCY_FACTOR = 2;

/** Summarizes the conversation of one chat. One summary is written at a time; the chat can be used meanwhile. */
export class Compactor {
  readonly #ports: CompactorPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<unknown> } | null = null;
  #status: CompactionStatus = null;
  readonly #closing = new AbortController();

  constructor(ports: CompactorPorts) {
    this.#ports = ports;
  }

  get status(): CompactionStatus {
    return this.#status;
  }

  /**
   * Replaces the conversation up to message `upTo` by a summary; null replaces all of it. Resolves when the summary is in
   * place or was cancelled; rejects with the failure, and the conversation is as it was.
   */
  summarize(upTo: string | null): Promise<void> {
    return this.#replace({ upTo, policy: 'manual' });
  }

  /**
   * Summarizes when the chat's settings say that it is time. To be called after each reply; a failure is shown in the chat,
   * and the next reply tries again.
   */
  async check(): Promise<void> {
    const { log, clock } = this.#ports;
    if (!this.#isOn || log.state.config.compactionPolicy === 'manual') {
      return;
    }
    try {
      // A summary that is there at once would only flicker.
      await clock.sleep(CHECK_DELAY_MS, this.#closing.signal);
      const upTo = this.#mayBegin() ? await this.#due() : null;
      if (upTo !== null) {
        await this.#replace({ upTo, policy: log.state.config.compactionPolicy });
      }
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /**
   * Makes room for a message that is about to be sent: summarizes as much as it must, if the chat's settings allow it. When
   * that fails and the conversation is far too long, its beginning is left out instead. Never rejects: what still does not
   * fit is refused by the request.
   */
  async makeRoom(): Promise<void> {
    const { log, requests } = this.#ports;
    await this.#running?.done.catch(() => undefined);
    const { compactionPolicy: policy, verbatimTokens } = log.state.config;
    if (!this.#isOn || policy === 'manual') {
      return;
    }
    const { room, history } = await requests.next(await this.#complete());
    const steps = ladder(history, { policy, verbatimTokens });
    const left = (to: string): number => room.history - tokensUpTo(history, to) + summaryBudget(tokensUpTo(history, to));
    const upTo = steps.find((to) => left(to) <= room.budget - room.fixed) ?? steps.at(-1);
    if (upTo === undefined || room.history <= room.budget - room.fixed) {
      return;
    }
    try {
      await this.#replace({ upTo, policy });
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      if (room.history > EMERGENCY_FACTOR * (triggerTokens('topic-boundary', room) ?? 0)) {
        await this.#leaveOut({ upTo, policy });
      }
    }
  }

  /** Asked anew after each wait. */
  #mayBegin(): boolean {
    return this.#isOn && this.#running === null && !this.#closing.signal.aborted;
  }

  get #isOn(): boolean {
    return this.#ports.log.isWritable && this.#ports.log.state.config.compaction === 'on';
  }

  /** The chat with all that the next request may send. */
  async #complete(): Promise<ChatState> {
    const { log, follower } = this.#ports;
    return compacted(log.state).lacksSome ? follower.whole() : log.state;
  }

  /** The end of what a summary is due to replace; null while none is due. */
  async #due(): Promise<string | null> {
    const state = await this.#complete();
    const { compactionPolicy: policy, verbatimTokens } = state.config;
    const { room, history } = await this.#ports.requests.next(state);
    return isDue(policy, room, history.messages.length) ? planned(history, { policy, verbatimTokens }) : null;
  }

  /** Replaces the beginning of the conversation by what must not be lost of it. */
  async #leaveOut({ upTo, policy }: Wanted): Promise<void> {
    const { log, requests, clock, random } = this.#ports;
    const state = await this.#complete();
    const { from, to, ...range } = compactionRange(state, upTo);
    const { text, lines, tokens } = (await requests.source(state, { from, to, ...range })).leftOut();
    const summaryId = newId(clock, random);
    const compaction = { id: newId(clock, random), policy, case: 'emergency', from, to, summaryId, tokens, lines } as const;
    await log.record(
      [
        { type: 'message', runId: null, message: { role: 'summary', id: summaryId, text } },
        { type: 'compacted', runId: null, compaction },
      ],
      'durable',
    );
    this.#set(null);
  }

  async #replace(wanted: Wanted): Promise<void> {
    const { upTo } = wanted;
    this.#ports.log.checkWritable();
    if (this.#running !== null) {
      throw failure('chat.summarizing');
    }
    const abort = new AbortController();
    const done = this.#claimed(wanted, abort.signal);
    this.#running = { abort, done };
    try {
      await done;
      this.#set(null);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      this.#set(error.isHarmless ? null : { kind: 'failed', upTo, error: toErrorRecord(error) });
      throw error;
    } finally {
      this.#running = null;
    }
  }

  /** Cancels the summary that is being written, and waits for its end. Does nothing without one. */
  async cancel(): Promise<void> {
    await this.#end(STOP);
  }

  async shutDown(): Promise<void> {
    this.#closing.abort();
    await this.#end(SHUT_DOWN);
  }

  /** Forgets a failure that the user has seen. */
  dismiss(): void {
    if (this.#running === null) {
      this.#set(null);
    }
  }

  /** Sends again what the latest summary replaced; what came after it stays. Throws `invalidInput` without a summary. */
  async undo(): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    await this.cancel();
    const active = activeCompaction(log.state);
    if (active === null) {
      throw failure('chat.noSummary');
    }
    await log.record([{ type: 'compaction-undone', compactionId: active.id }], 'durable');
  }

  async #end(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    // The caller of `summarize` gets the error.
    await this.#running?.done.catch(() => undefined);
  }

  #set(status: CompactionStatus): void {
    this.#status = status;
    this.#ports.log.changed('state');
  }

  async #claimed(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const { claim, follower } = this.#ports;
    if (!(await claim.take())) {
      throw failure('chat.summarizingElsewhere');
    }
    try {
      await follower.poll();
      await this.#summarize(wanted, signal);
    } finally {
      await claim.release();
    }
  }

  async #summarize({ upTo, policy }: Wanted, signal: AbortSignal): Promise<void> {
    const { log, follower, requests, clock, random } = this.#ports;
    const state =
      compacted(log.state).lacksSome || (upTo !== null && findMessage(log.state, upTo) === null) ? await follower.whole() : log.state;
    const range = compactionRange(state, upTo);
    const source = await requests.source(state, range);
    const runId = newId(clock, random);
    this.#set({ kind: 'running', runId, messages: range.messages.length, startedAt: clock.now(), mostTokens: source.mostTokens });
    const steps = summaryRun(
      {
        runId,
        asks: { id: newId(clock, random), text: source.instruction },
        parts: source.parts,
        prepare: (attemptId, part, soFar) => source.prepare(attemptId, { part, soFar }),
        finish: (summary) => {
          const { text, lines, tokens } = source.finish(summary);
          const compaction = {
            id: newId(clock, random),
            from: range.from,
            to: range.to,
            policy,
            case: 'summarize',
            lines,
            tokens,
          } as const;
          return { text, events: (summaryId) => [{ type: 'compacted', runId, compaction: { ...compaction, summaryId } }] };
        },
        signal,
      },
      { clock, random },
    );
    const outcome = await this.#drive(runId, steps);
    if (outcome.outcome === 'failed') {
      throw recordedError(outcome.error);
    }
  }

  /** Logs the steps of a run. A defect of Loupe ends the run visibly. */
  async #drive(runId: string, steps: AsyncGenerator<RunStep, SummaryOutcome, void>): Promise<SummaryOutcome> {
    const { log, clock, random } = this.#ports;
    try {
      for (;;) {
        const step = await steps.next();
        if (step.done === true) {
          return step.value;
        }
        await log.record(step.value.events, step.value.persistence);
      }
    } catch (thrown) {
      const defect = toLoupeError(thrown);
      await log.record(breakdown(log.state, runId, { defect, newId: () => newId(clock, random) }), 'durable');
      throw defect;
    }
  }
}
