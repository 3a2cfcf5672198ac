import { failure, LoupeError } from '../../engine/errors.js';
import type { ErrorKind } from '../../engine/failures/entry.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, isSilence } from './connectionError.js';
import { redactedCause } from './redact.js';
import { raceAbort } from '../../engine/run/abortRace.js';

/** Kinds of connection failures, in contrast to errors of the server. */
const LOST: ReadonlySet<ErrorKind> = new Set(['network', 'timeout', 'incomplete']);

/** Whether a response ended because its connection failed. All earlier data has been passed on. */
export function isLostConnection(thrown: unknown): boolean {
  return thrown instanceof LoupeError && LOST.has(thrown.kind);
}

/** Whether Loupe closed the connection because the rest is not needed. */
export function isRestNotNeeded(thrown: unknown): boolean {
  return thrown instanceof LoupeError && thrown.code === 'provider.restNotNeeded';
}

/** The awaited part of a response: its first byte, or the rest. */
type ResponseStage = 'start' | 'rest';

/** The connection of one request. Limits all waits, and closes at once when the caller aborts. */
export class Connection {
  readonly endpoint: Endpoint;
  /** The key of the request, to remove it from messages. Null without a key. */
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

  /** Whether the caller has aborted. Then no more data is passed on. */
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

  /** Call this when the response has ended, because the caller's signal may live longer. */
  release(): void {
    this.#caller.removeEventListener('abort', this.#stop);
  }

  /** Returns the error for the user. Keeps a `LoupeError`. For a closed connection, returns the reason of the close. */
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
  /** Aborting it ends the wait at once with its reason. */
  readonly signal: AbortSignal;
  /** Creates the error of a wait that took too long. */
  readonly onSilence: () => Error;
}

/** Waits for `work` within the limits. Ignores the result of `work` after that. */
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
