import { failure, LoupeError } from '../../engine/errors.js';
import type { ErrorKind } from '../../engine/failures/entry.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, isSilence } from './connectionError.js';
import { redactedCause } from './redact.js';
import { orAborted } from '../../engine/run/abortRace.js';

/** Failures of the connection, as opposed to errors of the server. */
const LOST: ReadonlySet<ErrorKind> = new Set(['network', 'timeout', 'incomplete']);

/** Whether an answer ended because its connection failed. All that the server had sent before has been passed on. */
export function isLostConnection(thrown: unknown): boolean {
  return thrown instanceof LoupeError && LOST.has(thrown.kind);
}

/** Whether Loupe closed the connection because the rest of the answer is not needed. */
export function isRestNotNeeded(thrown: unknown): boolean {
  return thrown instanceof LoupeError && thrown.code === 'provider.restNotNeeded';
}

/** What a wait is for: the first byte of an answer, or the rest. */
type Stage = 'start' | 'rest';

/** The connection of one request. It limits all waits, and closes at once when the caller aborts. */
export class Connection {
  readonly endpoint: Endpoint;
  /** The key of the request, to keep it out of messages; null without one. */
  readonly key: string | null;
  readonly #caller: AbortSignal;
  readonly #closing = new AbortController();
  readonly #stop = (): void => {
    this.#isStopped = true;
    this.close(failure('request.stopped'));
  };
  #reason: LoupeError | null = null;
  #isStopped = false;

  constructor(endpoint: Endpoint, key: string | null, caller: AbortSignal) {
    this.endpoint = endpoint;
    this.key = key;
    this.#caller = caller;
    caller.addEventListener('abort', this.#stop, { once: true });
    if (caller.aborted) {
      this.#stop();
    }
  }

  /** Aborts when the connection closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether the caller has aborted: nothing of an answer is passed on then. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Waits for `work` for at most `silenceMs`. Rejects with the reason when the connection closes meanwhile. */
  wait<T>(work: Promise<T>, stage: Stage): Promise<T> {
    return withinLimits(work, { ms: this.endpoint.silenceMs, signal: this.signal, onSilence: () => this.#silence(stage) });
  }

  /** Closes the connection; waits reject with the reason. */
  close(reason: LoupeError): void {
    this.release();
    this.#reason ??= reason;
    this.#closing.abort(reason);
  }

  /** To be called when the answer has ended, because the caller's signal may live longer. */
  release(): void {
    this.#caller.removeEventListener('abort', this.#stop);
  }

  /** The error of a failure for the user. A `LoupeError` stays; that of a closed connection is why it was closed. */
  failure(thrown: unknown, stage: Stage): LoupeError {
    const known = this.#isStopped || (this.signal.aborted && !(thrown instanceof LoupeError)) ? this.#reason : thrown;
    if (known instanceof LoupeError) {
      return known;
    }
    if (stage === 'start' || isSilence(thrown)) {
      return connectionError(thrown, this.endpoint, this.key);
    }
    return failure('provider.brokeOff', this.endpoint, { cause: redactedCause(thrown, this.key) });
  }

  #silence(stage: Stage): LoupeError {
    const silence = { label: this.endpoint.label, seconds: this.endpoint.silenceMs / 1000 };
    return failure(stage === 'start' ? 'provider.noAnswer' : 'provider.silent', silence);
  }
}

interface WaitLimits {
  /** Longest wait in ms. */
  readonly ms: number;
  /** Aborting it ends the wait at once, with its reason. */
  readonly signal: AbortSignal;
  /** The error of a wait that took too long. */
  readonly onSilence: () => Error;
}

/** Waits for `work`, but not longer than `limits` allow. After that, the result of `work` is ignored. */
async function withinLimits<T>(work: Promise<T>, { ms, signal, onSilence }: WaitLimits): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(resolve, ms, 'silence');
  });
  const settle = (): 'settled' => 'settled';
  const first = await orAborted(Promise.race([work.then(settle, settle), silence]), signal);
  clearTimeout(timer);
  signal.throwIfAborted();
  if (first === 'silence') {
    throw onSilence();
  }
  return work;
}
