import type { ReplyCause } from '../../engine/chat/slices/runs.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import { lastRun } from '../../engine/chat/branch.js';
import { newId } from '../../engine/chat/ids.js';
import { breakdown } from '../../engine/chat/interruption.js';
import type { UserMessage } from '../../engine/chat/message.js';
import { failure, recordedError, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock, RandomHex, ToolExecutor } from '../../engine/ports.js';
import type { RunInput } from '../../engine/run/input.js';
import { run } from '../../engine/run/run.js';
import type { RunClaim } from '../../storage/runClaim.js';
import type { SessionLog } from './sessionLog.js';

export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly tools: ToolExecutor;
  /** Unexpected failures, for the log channel. */
  logError(error: LoupeError): void;
}

/** What a run begins with: `before` is logged first. */
export interface RunBeginning {
  readonly cause: ReplyCause;
  readonly userMessage: UserMessage;
  readonly before: readonly EventDraft[];
}

/** What a run takes of the chat's requests. */
export type RunRequests = Pick<RunInput, 'prepare' | 'keepBlob'>;

type RunBase = Pick<RunInput, 'runId' | 'cause' | 'userMessage' | 'signal'>;

export interface RunDriverParts {
  readonly log: SessionLog;
  readonly claim: Pick<RunClaim, 'take' | 'release'>;
  /** Reads what other windows have written; never rejects. */
  readonly look: () => Promise<void>;
  readonly requests: RunRequests;
}

/** Drives the runs of one chat, one at a time in all windows, and logs what they bring. */
export class RunDriver {
  readonly #parts: RunDriverParts;
  readonly #ports: RunPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<unknown> } | null = null;

  constructor(parts: RunDriverParts, ports: RunPorts) {
    this.#parts = parts;
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Whether no run goes on, as far as is known here. */
  get isIdle(): boolean {
    return !this.isRunning && !this.#isAnsweredElsewhere();
  }

  /** Throws `invalidInput` while a run goes on in this window. */
  checkIdleHere(): void {
    if (this.#running !== null) {
      throw failure('chat.busyHere');
    }
  }

  /** Throws `invalidInput` while a run goes on, here or in another window. */
  checkIdle(): void {
    this.checkIdleHere();
    if (this.#isAnsweredElsewhere()) {
      throw failure('chat.busyElsewhere');
    }
  }

  /**
   * Claims the chat and runs what `begin` makes of its state, nothing where that is null. The chat is busy from here on:
   * nothing else gets in between. Resolves when the run has ended; to false, without having asked `begin`, when another
   * window answers. Rejects as `begin` throws.
   */
  async run(begin: () => RunBeginning | null): Promise<boolean> {
    const abort = new AbortController();
    const done = this.#claimed(begin, abort.signal);
    this.#running = { abort, done };
    this.#parts.log.changed('state');
    try {
      return await done;
    } finally {
      this.#running = null;
      this.#parts.log.changed('state');
    }
  }

  /** Ends the run for one of the reasons of `run/input.ts`; resolves when it has ended. Without one it does nothing. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    // Who runs it is told why it fails.
    await this.#running?.done.catch(() => undefined);
  }

  async #claimed(begin: () => RunBeginning | null, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#parts.claim.take())) {
      return false;
    }
    try {
      // The window that answered last has given its claim back, and its lines may not have been read yet.
      await this.#parts.look();
      if (this.#isAnsweredElsewhere()) {
        return false;
      }
      const beginning = begin();
      if (beginning !== null) {
        const { before, ...base } = beginning;
        await this.#drive({ ...base, runId: newId(this.#ports.clock, this.#ports.random), signal }, before);
      }
      return true;
    } finally {
      await this.#parts.claim.release();
    }
  }

  #isAnsweredElsewhere(): boolean {
    return lastRun(this.#parts.log.state)?.status === 'running';
  }

  async #drive(base: RunBase, before: readonly EventDraft[]): Promise<void> {
    try {
      await this.#parts.log.record(before, 'written');
      for await (const step of run(this.#runInput(base), this.#ports)) {
        await this.#parts.log.record(step.drafts, step.persistence);
        failuresIn(step.drafts).forEach((failure) => {
          this.#ports.logError(failure);
        });
      }
    } catch (thrown) {
      // A defect of ours: the run still ends, visibly, with everything that was received.
      const defect = toLoupeError(thrown);
      this.#ports.logError(defect);
      const id = (): string => newId(this.#ports.clock, this.#ports.random);
      await this.#parts.log.record(breakdown(this.#parts.log.state, base.runId, { defect, newId: id }), 'durable');
    }
  }

  #runInput(base: RunBase): RunInput {
    const reportError = this.#ports.logError.bind(this.#ports);
    return { ...base, ...this.#parts.requests, isNew: base.cause === 'message', tools: this.#ports.tools, reportError };
  }
}

/**
 * What went wrong with a provider in a step of a run, for the log channel: each failed attempt, also one that is made
 * again, and the end of a run that has none, such as when nothing could be sent.
 */
function failuresIn(drafts: readonly EventDraft[]): LoupeError[] {
  const attempts = drafts.flatMap((draft) => (draft.type === 'attempt-ended' && draft.error !== null ? [draft.error] : []));
  const runs = drafts.flatMap((draft) => (draft.type === 'run-failed' || draft.type === 'run-rolled-back' ? [draft.error] : []));
  return (attempts.length > 0 ? attempts : runs).map(recordedError);
}
