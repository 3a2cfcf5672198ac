import { failure, LoupeError, toLoupeError } from '../../engine/errors.js';
import type { ServerStatus } from '../../engine/tools/tool.js';
import type { McpLimits } from './limits.js';
import type { ServerLog } from './serverLog.js';
import type { ServerSecrets } from './secrets.js';
import { CrashWait } from './transport/crashWait.js';

export interface HealthPorts {
  readonly limits: McpLimits;
  readonly log: ServerLog;
  /** Called after each change of status or problem. */
  readonly changed: () => void;
  readonly reportError: (error: LoupeError) => void;
}

/** Failures that end when the user signs in. */
const SIGN_IN_CODES = ['mcp.wantsSignIn', 'mcp.wantsRights', 'mcp.signInRefused'] as const satisfies readonly LoupeError['code'][];

export function isSignInProblem({ code }: LoupeError): boolean {
  return SIGN_IN_CODES.some((each) => each === code);
}

/** Failures that only the user can end, so that a new start without the user would fail again. */
const FOR_GOOD: ReadonlySet<LoupeError['code']> = new Set(['mcp.inputNotGiven', 'mcp.startNotAllowed', ...SIGN_IN_CODES]);

/** The status of a server, its problem, and the wait after a failure. */
export class ServerHealth {
  readonly #ports: HealthPorts;
  readonly #wait: CrashWait;
  #status: ServerStatus = 'stopped';
  #problem: string | null = null;
  #wantsSignIn = false;

  constructor(ports: HealthPorts) {
    this.#ports = ports;
    this.#wait = new CrashWait(ports.limits);
  }

  get status(): ServerStatus {
    return this.#status;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** Whether the server failed because the user must sign in. */
  get wantsSignIn(): boolean {
    return this.#wantsSignIn;
  }

  /** Whether the server can start now. */
  get canStart(): boolean {
    return this.#wait.leftAt(performance.now()) === 0;
  }

  set(status: Exclude<ServerStatus, 'failed'>): void {
    this.#wantsSignIn = false;
    this.#become(status, null);
  }

  /** Notes that the server runs. Crashes after a time of normal work are first crashes. */
  started(): void {
    this.#wait.started(performance.now());
  }

  /** Removes the wait after failures, because the user starts the server. */
  forget(): void {
    this.#wait.forget();
  }

  /** Makes the server failed, with the error as its problem. Ignores the error of a stop. */
  failed(thrown: unknown, secrets: ServerSecrets): void {
    const error: LoupeError = toLoupeError(thrown instanceof LoupeError ? thrown : secrets.redactCause(thrown));
    if (error.code === 'mcp.isStopped') {
      return;
    }
    if (error.kind === 'internal') {
      this.#ports.reportError(error);
    }
    const problem = secrets.redact(error.message);
    this.#ports.log.note(problem);
    if (FOR_GOOD.has(error.code)) {
      this.#wait.failedForGood(problem);
    } else {
      this.#wait.failed(problem, performance.now());
    }
    this.#wantsSignIn = isSignInProblem(error);
    this.#become('failed', problem);
  }

  /** Whether the server must wait because of failures. The server may start after the wait. */
  hasToWait(): boolean {
    const leftMs = this.#wait.leftAt(performance.now());
    if (leftMs > 0 && leftMs !== Infinity) {
      const { problem, count: crashes } = this.#wait;
      this.#become('failed', failure('mcp.waits', { problem, crashes, seconds: Math.ceil(leftMs / 1000) }).message);
    }
    return leftMs > 0;
  }

  #become(status: ServerStatus, problem: string | null): void {
    if (status !== this.#status || problem !== this.#problem) {
      this.#status = status;
      this.#problem = problem;
      this.#ports.changed();
    }
  }
}
