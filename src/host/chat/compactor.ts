import { newId } from '../../engine/chat/ids.js';
import { breakdown } from '../../engine/chat/interruption.js';
import { activeCompaction } from '../../engine/chat/slices/compaction.js';
import { findMessage } from '../../engine/chat/branch.js';
import { compacted } from '../../engine/compaction/checkpoint.js';
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

/** Summarizes the conversation of one chat. One summary is written at a time; the chat can be used meanwhile. */
export class Compactor {
  readonly #ports: CompactorPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<unknown> } | null = null;
  #status: CompactionStatus = null;

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
  async summarize(upTo: string | null): Promise<void> {
    this.#ports.log.checkWritable();
    if (this.#running !== null) {
      throw failure('chat.summarizing');
    }
    const abort = new AbortController();
    const done = this.#claimed(upTo, abort.signal);
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

  async #claimed(upTo: string | null, signal: AbortSignal): Promise<void> {
    const { claim, follower } = this.#ports;
    if (!(await claim.take())) {
      throw failure('chat.summarizingElsewhere');
    }
    try {
      await follower.poll();
      await this.#summarize(upTo, signal);
    } finally {
      await claim.release();
    }
  }

  async #summarize(upTo: string | null, signal: AbortSignal): Promise<void> {
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
            policy: 'manual',
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
