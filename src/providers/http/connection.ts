import { failure, LoupeError } from '../../engine/errors.js';
import type { ErrorKind } from '../../engine/failures/entry.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, isSilence } from './connectionError.js';
import { redactedCause } from './redact.js';
import { raceAbort } from '../../engine/run/abortRace.js';

/** Kinds of errors that mean a failed connection. The other kinds come from the server. */
const LOST: ReadonlySet<ErrorKind> = new Set(['network', 'timeout', 'incomplete']);

/** Whether the connection failed in the middle of a response. All data that arrived earlier has been passed on. */
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
  /** The key that the request carries. Loupe removes the key from messages. Null without a key. */
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

  /** Whether the caller has aborted. No data may be passed on then. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Waits for `work`, at most `silenceMs`. Rejects with the reason when the connection closes. */
  wait<T>(work: Promise<T>, stage: ResponseStage): Promise<T> {
    return withinLimits(work, { ms: this.endpoint.silenceMs, signal: this.signal, onSilence: () => this.#silence(stage) });
  }

  close(reason: LoupeError): void {
    this.release();
    this.#reason ??= reason;
    this.#closing.abort(reason);
  }

  /** Stops listening to the caller's signal, which may exist longer. Call this at the end of the response. */
  release(): void {
    this.#caller.removeEventListener('abort', this.#stop);
  }

  /** Returns the error for the user. Keeps a `LoupeError`. For a connection that Loupe closed, returns the reason. */
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
  /** Aborting this signal ends the wait at once. The wait then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Creates the error of a wait that took too long. */
  readonly onSilence: () => Error;
}

/** Waits for `work` within the limits. After the wait, ignores the result of `work`. */
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
