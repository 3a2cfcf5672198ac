import { setMaxListeners } from 'node:events';
import { type ReplyCause, type RunState, isRefused } from '../../../engine/chat/slices/runs.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { lastRun } from '../../../engine/chat/branch.js';
import { newId } from '../../../engine/chat/order/ids.js';
import { breakdownEvents } from '../../../engine/run/interruption.js';
import type { UserMessage } from '../../../engine/chat/message/message.js';
import { type ErrorRecord, type LoupeError, failure, recordedError, toLoupeError } from '../../../engine/errors.js';
import type { Clock, RandomHex, Sha256, ToolProgress } from '../../../engine/ports.js';
import type { RunControl, RunInput } from '../../../engine/run/input.js';
import { run } from '../../../engine/run/run.js';
import type { RunClaim } from '../../../storage/windows/runClaim.js';
import type { FileWatch } from '../../tools/changedFiles.js';
import { StepWatch } from './stepWatch.js';
import type { SessionLog } from '../sessionLog.js';
import type { Approval } from '../../../engine/chat/calls/calls.js';

interface RunControlPorts {
  readonly log: Pick<SessionLog, 'state' | 'onChange' | 'record'>;
  readonly logError: (error: LoupeError) => void;
}

/** Passes the user's answers to a run that calls tools. Reads them from the log, because any window may write them. */
class LoggedControl implements RunControl {
  readonly #runId: string;
  readonly #ports: RunControlPorts;
  readonly #stops = new Map<string, AbortController>();

  constructor(runId: string, ports: RunControlPorts) {
    this.#runId = runId;
    this.#ports = ports;
  }

  approvalOf(callId: string): Promise<Approval> {
    return this.#logged((run) => run.calls.findLast((call) => call.callId === callId)?.approval ?? null);
  }

  continueDecision(): Promise<boolean> {
    return this.#logged(({ question }) => question?.goesOn ?? null);
  }

  stopOf(callId: string): AbortSignal {
    // A new signal for each call, because a later call may have the same id.
    const stop = new AbortController();
    this.#stops.set(callId, stop);
    return stop.signal;
  }

  stop(callId: string): void {
    this.#stops.get(callId)?.abort();
  }

  progressed(callId: string, progress: ToolProgress): void {
    const event = { type: 'tool-progress', runId: this.#runId, callId, progress } as const;
    this.#ports.log.record([event], 'shown').catch((thrown: unknown) => {
      this.#ports.logError(toLoupeError(thrown));
    });
  }

  /** Resolves to the first value of the run that is not null. */
  #logged<T>(valueOf: (run: RunState) => T | null): Promise<T> {
    const { log } = this.#ports;
    return new Promise((resolve) => {
      const look = (): void => {
        const run = log.state.runs.get(this.#runId);
        const value = run === undefined ? null : valueOf(run);
        if (value !== null) {
          remove();
          resolve(value);
        }
      };
      const remove = log.onChange(look);
      look();
    });
  }
}

export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly sha256: Sha256;
  /** See `StepWatch`. */
  readonly watchFiles: () => FileWatch;
  logError(error: LoupeError): void;
}

/** The start of a run. `before` is logged first. `open` holds tool calls to finish first, or null. */
export interface RunBeginning extends Pick<RunInput, 'open'> {
  readonly cause: ReplyCause;
  readonly userMessage: UserMessage;
  readonly before: readonly NewEvent[];
  /** Called once, when the first request is certain to be sent. Its changes apply to that request. */
  readonly onAllowed: (() => Promise<void>) | null;
  /** Returns events that remove the message after a refusal before any request. Null keeps it, with a note. */
  readonly withdrawalEvents: ((state: ChatState) => readonly NewEvent[]) | null;
}

export interface RunRequests extends Pick<RunInput, 'keepBlob'> {
  /** See `SendFirst`. */
  readonly sending: { hold(): void; release(): void };
  /** Returns the functions that prepare the requests of a run for one message. */
  readonly preparing: (message: UserMessage, allowed: RunBeginning['onAllowed']) => Pick<RunInput, 'prepare' | 'tools'>;
}

type RunBase = Omit<RunBeginning, 'before'> & Pick<RunInput, 'runId' | 'signal'>;

export interface RunDriverPorts extends RunPorts {
  readonly log: SessionLog;
  readonly claim: Pick<RunClaim, 'take' | 'release'>;
  /** Reads what other windows have written. Never rejects. */
  readonly poll: () => Promise<void>;
  readonly requests: RunRequests;
}

/** Drives the runs of one chat and logs their events. Only one run at a time, across all windows. */
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

  /** Whether no run is active, as far as this window has read. */
  get isIdle(): boolean {
    return !this.isRunning && !this.#isAnsweredElsewhere();
  }

  /** Throws `invalidInput` during a run of this or another window. */
  checkIdle(): void {
    if (this.isRunning) {
      throw failure('chat.busyHere');
    }
    if (this.#isAnsweredElsewhere()) {
      throw failure('chat.busyElsewhere');
    }
  }

  /**
   * Claims the chat, then starts the run that `begin` derives from the state. Null starts no run. The chat is busy as
   * soon as this is called. Resolves to true when the run has ended. Resolves to false, without calling `begin`, when
   * another window is answering. Rejects with errors of `begin`, or with the reason of a refused run whose message was
   * removed.
   */
  async run(begin: () => RunBeginning | null): Promise<boolean> {
    const { log, requests } = this.#ports;
    const abort = new AbortController();
    // All tool calls of a step wait for this signal at the same time. Without a limit of 0, Node warns about a leak.
    setMaxListeners(0, abort.signal);
    requests.sending.hold();
    const done = this.#claimed(begin, abort.signal);
    this.#running = { abort, done };
    log.changed('state');
    try {
      return await done;
    } finally {
      this.#running = null;
      requests.sending.release();
      log.changed('state');
    }
  }

  /** Ends the run with a reason from `run/input.ts`, and waits for its end. Does nothing without a run. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    // The caller of `run` gets the error.
    await this.#running?.done.catch(() => undefined);
  }

  /** Stops one tool call of this window's run. Does nothing without a run. */
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

  /** Removes the message of a run that was refused before its first request, if `takenBack` is set, and rejects. */
  async #takeBack({ withdrawalEvents }: RunBeginning, runId: string): Promise<void> {
    const { log } = this.#ports;
    const refusal = this.#refusalOf(runId);
    if (withdrawalEvents !== null && refusal !== null) {
      await log.record(withdrawalEvents(log.state), 'durable');
      throw recordedError(refusal);
    }
  }

  /** Returns why a run was refused before its first request, or null when it was not. */
  #refusalOf(runId: string): ErrorRecord | null {
    const run = this.#ports.log.state.runs.get(runId);
    return run !== undefined && isRefused(run) ? run.error : null;
  }

  async #drive({ before, ...beginning }: RunBeginning, { runId, signal }: Pick<RunInput, 'runId' | 'signal'>): Promise<void> {
    try {
      await this.#ports.log.record(before, 'written');
      this.#control = new LoggedControl(runId, this.#ports);
      const input = this.#runInput({ ...beginning, runId, signal }, this.#control);
      const steps = this.#watchSteps(input);
      try {
        for await (const step of run(input, this.#ports)) {
          await this.#ports.log.record(step.events, step.persistence);
          await steps.saw(step.events);
          if (step.events.some(({ type }) => type === 'attempt-started')) {
            this.#ports.requests.sending.release();
          }
          // The sender of a removed message gets the reason and logs it.
          if (beginning.withdrawalEvents === null || this.#refusalOf(runId) === null) {
            failuresIn(step.events).forEach((failure) => {
              this.#ports.logError(failure);
            });
          }
        }
      } finally {
        await steps.end();
      }
    } catch (thrown) {
      // After a defect in Loupe, the run still ends visibly, with everything that was received.
      const defect = toLoupeError(thrown);
      this.#ports.logError(defect);
      const id = (): string => newId(this.#ports.clock, this.#ports.random);
      await this.#ports.log.record(breakdownEvents(this.#ports.log.state, runId, { defect, newId: id }), 'durable');
    }
  }

  #watchSteps(input: RunInput): StepWatch {
    const { clock, log, watchFiles } = this.#ports;
    return new StepWatch({ ...input, clock, watchFiles, record: (events) => log.record(events, 'written') });
  }

  #runInput({ onAllowed, withdrawalEvents: _, ...base }: RunBase, control: LoggedControl): RunInput {
    const reportError = this.#ports.logError.bind(this.#ports);
    const { preparing, keepBlob } = this.#ports.requests;
    const { sha256 } = this.#ports;
    return { ...base, ...preparing(base.userMessage, onAllowed), keepBlob, sha256, control, isNew: base.cause === 'message', reportError };
  }
}

/**
 * Returns provider failures in a step for the log channel: each failed attempt, including retried ones. Without any,
 * returns the failure of the run, for example when nothing could be sent.
 */
function failuresIn(drafts: readonly NewEvent[]): LoupeError[] {
  const attempts = drafts.flatMap((draft) => (draft.type === 'attempt-ended' && draft.error !== null ? [draft.error] : []));
  const runs = drafts.flatMap((draft) => (draft.type === 'run-failed' || draft.type === 'run-rolled-back' ? [draft.error] : []));
  return (attempts.length > 0 ? attempts : runs).map(recordedError);
}
