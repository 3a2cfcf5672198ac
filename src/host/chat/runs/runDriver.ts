import { setMaxListeners } from 'node:events';
import { isRefused, type ReplyCause } from '../../../engine/chat/slices/runs.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { lastRun } from '../../../engine/chat/branch.js';
import { newId } from '../../../engine/chat/order/ids.js';
import { breakdown } from '../../../engine/run/interruption.js';
import type { UserMessage } from '../../../engine/chat/message/message.js';
import { failure, recordedError, toLoupeError, type ErrorRecord, type LoupeError } from '../../../engine/errors.js';
import type { Clock, RandomHex, Sha256 } from '../../../engine/ports.js';
import type { RunInput } from '../../../engine/run/input.js';
import { run } from '../../../engine/run/run.js';
import type { RunClaim } from '../../../storage/windows/runClaim.js';
import type { FileWatch } from '../../tools/fileWatch.js';
import { RoundWatch } from './roundWatch.js';
import { LoggedControl } from './runControl.js';
import type { SessionLog } from '../sessionLog.js';

export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly sha256: Sha256;
  /** See `RoundWatch`. */
  readonly watchFiles: () => FileWatch;
  /** Unexpected failures, for the log channel. */
  logError(error: LoupeError): void;
}

/** What starts a run. The events in `before` are logged first. `open` is a round to finish first; null for none. */
export interface RunBeginning extends Pick<RunInput, 'open'> {
  readonly cause: ReplyCause;
  readonly userMessage: UserMessage;
  readonly before: readonly NewEvent[];
  /** Called once, when the first request is certain to be sent; null without anything to do. What it changes is in that request. */
  readonly allowed: (() => Promise<void>) | null;
  /** The events that take the message back when the run is refused before any request; null leaves it in the chat, with a note that says why. */
  readonly takenBack: ((state: ChatState) => readonly NewEvent[]) | null;
}

/** What a run needs of the chat's requests. */
export interface RunRequests extends Pick<RunInput, 'keepBlob'> {
  /** How a run that answers a message gets the requests of its attempts. */
  readonly preparing: (message: UserMessage, allowed: RunBeginning['allowed']) => Pick<RunInput, 'prepare' | 'tools'>;
}

type RunBase = Omit<RunBeginning, 'before'> & Pick<RunInput, 'runId' | 'signal'>;

export interface RunDriverPorts extends RunPorts {
  readonly log: SessionLog;
  readonly claim: Pick<RunClaim, 'take' | 'release'>;
  /** Reads what other windows have written; never rejects. */
  readonly poll: () => Promise<void>;
  readonly requests: RunRequests;
}

/** Drives the runs of one chat, at most one at a time across all windows, and logs their events. */
export class RunDriver {
  readonly #ports: RunDriverPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<unknown> } | null = null;
  #control: LoggedControl | null = null;

  constructor(ports: RunDriverPorts) {
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Whether no run goes on, as far as this window has read. */
  get isIdle(): boolean {
    return !this.isRunning && !this.#isAnsweredElsewhere();
  }

  /** Throws `invalidInput` while a run goes on, here or in another window. */
  checkIdle(): void {
    if (this.isRunning) {
      throw failure('chat.busyHere');
    }
    if (this.#isAnsweredElsewhere()) {
      throw failure('chat.busyElsewhere');
    }
  }

  /**
   * Claims the chat, then starts the run that `begin` derives from the state; null starts none. The chat is busy from
   * the call on. Resolves when the run has ended, or to false, without calling `begin`, when another window answers.
   * Rejects with what `begin` throws, and with the reason of a run that was refused and whose message was taken back.
   */
  async run(begin: () => RunBeginning | null): Promise<boolean> {
    const abort = new AbortController();
    // All calls of a round wait for it side by side, which Node would take for a leak.
    setMaxListeners(0, abort.signal);
    const done = this.#claimed(begin, abort.signal);
    this.#running = { abort, done };
    this.#ports.log.changed('state');
    try {
      return await done;
    } finally {
      this.#running = null;
      this.#ports.log.changed('state');
    }
  }

  /** Ends the run for one of the reasons of `run/input.ts`, and waits for its end. Does nothing without a run. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    // The caller of `run` gets the error.
    await this.#running?.done.catch(() => undefined);
  }

  /** Stops one call of the run that goes on here. Does nothing without one. */
  stopCall(callId: string): void {
    this.#control?.stop(callId);
  }

  async #claimed(begin: () => RunBeginning | null, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#ports.claim.take())) {
      return false;
    }
    try {
      // The window that answered last has released its claim, but this window may not have read its last lines.
      await this.#ports.poll();
      if (this.#isAnsweredElsewhere()) {
        return false;
      }
      const beginning = begin();
      if (beginning !== null) {
        const runId = newId(this.#ports.clock, this.#ports.random);
        await this.#drive(beginning, { runId, signal });
        await this.#takeBack(beginning, runId);
      }
      return true;
    } finally {
      await this.#ports.claim.release();
    }
  }

  #isAnsweredElsewhere(): boolean {
    return lastRun(this.#ports.log.state)?.status === 'running';
  }

  /** A run that is refused before its first request leaves the chat as it was, where its beginning wants that. Rejects with the reason then. */
  async #takeBack({ takenBack }: RunBeginning, runId: string): Promise<void> {
    const { log } = this.#ports;
    const refusal = this.#refusalOf(runId);
    if (takenBack !== null && refusal !== null) {
      await log.record(takenBack(log.state), 'durable');
      throw recordedError(refusal);
    }
  }

  /** Why a run was refused before its first request; null when it was not. */
  #refusalOf(runId: string): ErrorRecord | null {
    const run = this.#ports.log.state.runs.get(runId);
    return run !== undefined && isRefused(run) ? run.error : null;
  }

  async #drive({ before, ...beginning }: RunBeginning, { runId, signal }: Pick<RunInput, 'runId' | 'signal'>): Promise<void> {
    try {
      await this.#ports.log.record(before, 'written');
      this.#control = new LoggedControl(runId, this.#ports);
      const input = this.#runInput({ ...beginning, runId, signal }, this.#control);
      const rounds = this.#watchRounds(input);
      try {
        for await (const step of run(input, this.#ports)) {
          await this.#ports.log.record(step.events, step.persistence);
          await rounds.saw(step.events);
          // Who sent a message that is taken back gets the reason, and logs it.
          if (beginning.takenBack === null || this.#refusalOf(runId) === null) {
            failuresIn(step.events).forEach((failure) => {
              this.#ports.logError(failure);
            });
          }
        }
      } finally {
        await rounds.end();
      }
    } catch (thrown) {
      // A defect of Loupe: the run still ends visibly, with everything that was received.
      const defect = toLoupeError(thrown);
      this.#ports.logError(defect);
      const id = (): string => newId(this.#ports.clock, this.#ports.random);
      await this.#ports.log.record(breakdown(this.#ports.log.state, runId, { defect, newId: id }), 'durable');
    }
  }

  #watchRounds(input: RunInput): RoundWatch {
    const { clock, log, watchFiles } = this.#ports;
    return new RoundWatch({ ...input, clock, watchFiles, record: (events) => log.record(events, 'written') });
  }

  #runInput({ allowed, takenBack: _, ...base }: RunBase, control: LoggedControl): RunInput {
    const reportError = this.#ports.logError.bind(this.#ports);
    const { preparing, keepBlob } = this.#ports.requests;
    const { sha256 } = this.#ports;
    return { ...base, ...preparing(base.userMessage, allowed), keepBlob, sha256, control, isNew: base.cause === 'message', reportError };
  }
}

/**
 * Provider failures in a step of a run, for the log channel: each failed attempt, including those that are retried.
 * Without a failed attempt, the failure of the run, as when nothing could be sent.
 */
function failuresIn(drafts: readonly NewEvent[]): LoupeError[] {
  const attempts = drafts.flatMap((draft) => (draft.type === 'attempt-ended' && draft.error !== null ? [draft.error] : []));
  const runs = drafts.flatMap((draft) => (draft.type === 'run-failed' || draft.type === 'run-rolled-back' ? [draft.error] : []));
  return (attempts.length > 0 ? attempts : runs).map(recordedError);
}
