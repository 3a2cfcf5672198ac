import type { Approval } from '../../../engine/chat/calls/calls.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { ToolProgress } from '../../../engine/ports.js';
import type { RunControl } from '../../../engine/run/input.js';
import type { SessionLog } from '../sessionLog.js';

interface RunControlPorts {
  readonly log: Pick<SessionLog, 'state' | 'onChange' | 'record'>;
  readonly logError: (error: LoupeError) => void;
}

/** Passes the user's answers to a run that calls tools. Reads them from the log, because any window may write them. */
export class LoggedControl implements RunControl {
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
