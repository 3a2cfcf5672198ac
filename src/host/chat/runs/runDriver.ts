import { setMaxListeners } from 'node:events';
import type { Participant } from '../../../engine/chat/slices/participants.js';
import { type ReplyCause, type RunState, isRefused } from '../../../engine/chat/slices/runs.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { lastRun } from '../../../engine/chat/branch.js';
import { newId } from '../../../engine/chat/order/ids.js';
import { breakdownEvents } from '../../../engine/run/interruption.js';
import type { UserMessage } from '../../../engine/chat/message/message.js';
import { type ErrorRecord, type LoupeError, failure, recordedError, toLoupeError, logFailure } from '../../../engine/errors.js';
import type { Clock, RandomHex, Sha256, ToolProgress } from '../../../engine/ports.js';
import type { RunControl, RunInput } from '../../../engine/run/input.js';
import { run } from '../../../engine/run/run.js';
import type { RunClaim } from '../../../storage/windows/runClaim.js';
import type { FileWatch } from '../../tools/changedFiles.js';
import { keepReplyImage } from './replyImage.js';
import { StepWatch } from './stepWatch.js';
import type { SessionLog } from '../sessionLog.js';
import type { Approval } from '../../../engine/chat/calls/calls.js';

interface RunControlPorts {
  readonly log: Pick<SessionLog, 'state' | 'onChange' | 'record'>;
  readonly logError: (error: LoupeError) => void;
}

/** Passes the user's approvals and decisions to a run. Reads them from the log, to which every window can write. */
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
    this.#ports.log.record([event], 'shown').catch(logFailure(this.#ports));
  }

  /** Resolves when `valueOf` returns a value other than null for the run. */
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
  /** Watches files for changes that tools do not report. See `StepWatch`. */
  readonly watchFiles: () => FileWatch;
  logError(error: LoupeError): void;
}

/** The beginning of a run. `before`: events to log first. `open`: open tool calls of the last run, which run first. */
export interface RunBeginning extends Pick<RunInput, 'open'> {
  readonly cause: ReplyCause;
  readonly userMessage: UserMessage;
  readonly before: readonly NewEvent[];
  /** Called once, when Loupe will certainly send the first request. The request contains this function's changes. */
  readonly onAllowed: (() => Promise<void>) | null;
  /** Returns events that remove the message when the run is refused before a request. Null keeps the message. */
  readonly withdrawalEvents: ((state: ChatState) => readonly NewEvent[]) | null;
}

/** Begins a run of the user `me`, who is null if their name is unknown. Returns null to start no run. */
export type BeginRun = (me: Participant | null) => RunBeginning | null;

export interface RunRequests extends Pick<RunInput, 'keepBlob'> {
  /** The views of the chat wait from `hold` to `release`, so that the request is sent first. See `SendFirst`. */
  readonly sending: { hold(): void; release(): void };
  /** Returns the functions of a run for one message: preparing requests and offering tools. */
  readonly preparing: (message: UserMessage, allowed: RunBeginning['onAllowed']) => Pick<RunInput, 'prepare' | 'tools'>;
}

type RunBase = Omit<RunBeginning, 'before'> & Pick<RunInput, 'runId' | 'signal'>;

export interface RunDriverPorts extends RunPorts {
  readonly log: SessionLog;
  readonly claim: Pick<RunClaim, 'take' | 'release'>;
  /** Reads what other VS Code windows have written. Never rejects. */
  readonly poll: () => Promise<void>;
  readonly requests: RunRequests;
  /** Returns the user as an author of messages. Null if their name is unknown. */
  readonly me: () => Promise<Participant | null>;
}

/** Drives the runs of one chat and logs their events. At most one run is active at a time, across all windows. */
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

  /** Whether no run is active. Runs of other VS Code windows are known only as far as this window has read. */
  get isIdle(): boolean {
    return !this.isRunning && !this.#isAnsweredElsewhere();
  }

  /** Throws `invalidInput` during a run of this or another VS Code window. */
  checkIdle(): void {
    if (this.isRunning) {
      throw failure('chat.busyHere');
    }
    if (this.#isAnsweredElsewhere()) {
      throw failure('chat.busyElsewhere');
    }
  }

  /**
   * Claims the chat, then starts the run that `begin` returns. Null starts no run. The chat is busy from the call on.
   * Resolves to true when the run has ended. Resolves to false, without calling `begin`, when another VS Code window is
   * answering. Rejects with errors of `begin`, or with the reason of a refused run whose message was removed.
   */
  async run(begin: BeginRun): Promise<boolean> {
    const { log, requests } = this.#ports;
    const abort = new AbortController();
    // All tool calls of a step listen to this signal at the same time. Node warns about a leak above 10 listeners.
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

  /** Ends the run with a reason from `run/input.ts`, and waits until the run has ended. Does nothing without a run. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    // The caller of `run` gets this error.
    await this.#running?.done.catch(() => undefined);
  }

  /** Stops one tool call of the run in this VS Code window. Does nothing without a run. */
  stopCall(callId: string): void {
    this.#control?.stop(callId);
  }

  async #claimed(begin: BeginRun, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#ports.claim.take())) {
      return false;
    }
    try {
      const me = await this.#ports.me();
      // The window that answered last has released its claim. Its last log lines may still be unread here.
      await this.#ports.poll();
      if (this.#isAnsweredElsewhere()) {
        return false;
      }
      const beginning = begin(me);
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

  /** After a refusal before the first request: removes the message, if `withdrawalEvents` is set, and rejects. */
  async #takeBack({ withdrawalEvents }: RunBeginning, runId: string): Promise<void> {
    const { log } = this.#ports;
    const refusal = this.#refusalOf(runId);
    if (withdrawalEvents !== null && refusal !== null) {
      await log.record(withdrawalEvents(log.state), 'durable');
      throw recordedError(refusal);
    }
  }

  /** Returns why a run was refused before its first request, or null when the run was not refused. */
  #refusalOf(runId: string): ErrorRecord | null {
    const run = this.#ports.log.state.runs.get(runId);
    return run !== undefined && isRefused(run) ? run.error : null;
  }

  async #drive({ before, ...beginning }: RunBeginning, { runId, signal }: Pick<RunInput, 'runId' | 'signal'>): Promise<void> {
    try {
      this.#control = new LoggedControl(runId, this.#ports);
      const input = this.#runInput({ ...beginning, runId, signal }, this.#control);
      await this.#ports.log.record(before, 'written');
      const steps = this.#watchSteps(input);
      try {
        for await (const step of run(input, this.#ports)) {
          await this.#ports.log.record(step.events, step.persistence);
          await steps.saw(step.events);
          if (step.events.some(({ type }) => type === 'attempt-started')) {
            this.#ports.requests.sending.release();
          }
          // When the message is removed, the caller of `run` gets the error and logs it.
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
      // Treats the error as a bug in Loupe. The chat shows how the run ended, and the log keeps all received data.
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
    return {
      ...base,
      ...preparing(base.userMessage, onAllowed),
      keepBlob,
      keepImage: (image) => keepReplyImage(image, { keepBlob, logError: reportError }),
      sha256,
      control,
      isNew: base.cause === 'message',
      reportError,
    };
  }
}

/**
 * Returns the errors of a step for the log channel: the error of each failed attempt, including attempts that were
 * repeated. If no attempt failed, returns the error of the run, for example when no request could be sent.
 */
function failuresIn(drafts: readonly NewEvent[]): LoupeError[] {
  const attempts = drafts.flatMap((draft) => (draft.type === 'attempt-ended' && draft.error !== null ? [draft.error] : []));
  const runs = drafts.flatMap((draft) => (draft.type === 'run-failed' || draft.type === 'run-rolled-back' ? [draft.error] : []));
  return (attempts.length > 0 ? attempts : runs).map(recordedError);
}
