import { failure, LoupeError } from '../../engine/errors.js';
import type { ErrorKind } from '../../engine/failures/entry.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, isSilence } from './connectionError.js';
import { redactedCause } from './redact.js';
import { raceAbort } from '../../engine/run/abortRace.js';

/** Kinds of errors that a failed connection causes. */
const LOST: ReadonlySet<ErrorKind> = new Set(['network', 'timeout', 'incomplete']);

/** Whether the connection failed in the middle of a response. The caller has received all earlier data. */
export function isLostConnection(thrown: unknown): boolean {
  return thrown instanceof LoupeError && LOST.has(thrown.kind);
}

/** Whether Loupe itself closed the connection, because it did not need the rest of the response. */
export function isRestNotNeeded(thrown: unknown): boolean {
  return thrown instanceof LoupeError && thrown.code === 'provider.restNotNeeded';
}

/** What Loupe waits for: the first byte of a response, or the rest. */
type ResponseStage = 'start' | 'rest';

/** The connection of one request. Limits all waits. Closes at once when the caller aborts. */
export class Connection {
  readonly endpoint: Endpoint;
  /** The key in the request, which Loupe removes from error messages. Null without a key. */
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

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether the caller has aborted. The connection must then pass on no more data. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Waits for `work` for at most `silenceMs`. Rejects with the reason when the connection is closed. */
  wait<T>(work: Promise<T>, stage: ResponseStage): Promise<T> {
    return withinLimits(work, { ms: this.endpoint.silenceMs, signal: this.signal, onSilence: () => this.#silence(stage) });
  }

  close(reason: LoupeError): void {
    this.release();
    this.#reason ??= reason;
    this.#closing.abort(reason);
  }

  /** Removes the listener on the caller's signal. Call this at the end of the response. */
  release(): void {
    this.#caller.removeEventListener('abort', this.#stop);
  }

  /** Returns an error for the user: why Loupe closed the connection, a `LoupeError` unchanged, or what went wrong. */
  failure(thrown: unknown, stage: ResponseStage): LoupeError {
    const known = this.#isStopped || (this.signal.aborted && !(thrown instanceof LoupeError)) ? this.#reason : thrown;
    if (known instanceof LoupeError) {
      return known;
    }
    if (stage === 'start' || isSilence(thrown)) {
      return connectionError(thrown, this.endpoint, this.key);
    }
    return failure('provider.brokeOff', this.endpoint, { cause: redactedCause(thrown, this.key) });
  }

  #silence(stage: ResponseStage): LoupeError {
    const silence = { label: this.endpoint.label, seconds: this.endpoint.silenceMs / 1000 };
    return failure(stage === 'start' ? 'provider.noAnswer' : 'provider.silent', silence);
  }
}

interface WaitLimits {
  readonly ms: number;
  /** Ends the wait at once when aborted. The wait then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Creates the error of a wait that took too long. */
  readonly onSilence: () => Error;
}

/** Waits for `work`, but not beyond the limits. Ignores a later result of `work`. */
async function withinLimits<T>(work: Promise<T>, { ms, signal, onSilence }: WaitLimits): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(resolve, ms, 'silence');
  });
  const settle = (): 'settled' => 'settled';
  const first = await raceAbort(Promise.race([work.then(settle, settle), silence]), signal);
  clearTimeout(timer);
  signal.throwIfAborted();
  if (first === 'silence') {
    throw onSilence();
  }
  return work;
}
