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
import type { SessionLog } from './sessionLog.js';

export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly tools: ToolExecutor;
  /** Unexpected failures, for the log channel. */
  logError(error: LoupeError): void;
}

/** What a run takes of the chat's requests. */
export type RunRequests = Pick<RunInput, 'prepare' | 'keepBlob'>;

type RunBase = Pick<RunInput, 'runId' | 'cause' | 'userMessage' | 'signal'>;

/** Drives the runs of one chat, one at a time, and logs what they bring. */
export class RunDriver {
  readonly #log: SessionLog;
  readonly #requests: RunRequests;
  readonly #ports: RunPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(log: SessionLog, requests: RunRequests, ports: RunPorts) {
    this.#log = log;
    this.#requests = requests;
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Throws `invalidInput` while a run goes on, here or in another window. */
  checkIdle(): void {
    if (this.#running !== null) {
      throw failure('chat.busyHere');
    }
    if (lastRun(this.#log.state)?.status === 'running') {
      throw failure('chat.busyElsewhere');
    }
  }

  /** Logs `before` and runs. The chat is busy from here on: nothing else gets in between. Resolves when the run has ended. */
  async run(cause: ReplyCause, userMessage: UserMessage, before: readonly EventDraft[]): Promise<void> {
    const abort = new AbortController();
    const runId = newId(this.#ports.clock, this.#ports.random);
    const done = this.#drive({ runId, cause, userMessage, signal: abort.signal }, before);
    this.#running = { abort, done };
    this.#log.changed('state');
    try {
      await done;
    } finally {
      this.#running = null;
      this.#log.changed('state');
    }
  }

  /** Ends the run for one of the reasons of `run/input.ts`; resolves when it has ended. Without one it does nothing. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.#running?.done;
  }

  async #drive(base: RunBase, before: readonly EventDraft[]): Promise<void> {
    try {
      await this.#log.record(before, 'written');
      for await (const step of run(this.#runInput(base), this.#ports)) {
        await this.#log.record(step.drafts, step.persistence);
        failuresIn(step.drafts).forEach((failure) => {
          this.#ports.logError(failure);
        });
      }
    } catch (thrown) {
      // A defect of ours: the run still ends, visibly, with everything that was received.
      const defect = toLoupeError(thrown);
      this.#ports.logError(defect);
      const id = (): string => newId(this.#ports.clock, this.#ports.random);
      await this.#log.record(breakdown(this.#log.state, base.runId, { defect, newId: id }), 'durable');
    }
  }

  #runInput(base: RunBase): RunInput {
    const { tools } = this.#ports;
    return {
      ...base,
      ...this.#requests,
      isNew: base.cause === 'message',
      tools,
      reportError: this.#ports.logError.bind(this.#ports),
    };
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
