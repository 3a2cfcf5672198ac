import { failure, LoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, isSilence } from './connectionError.js';
import { redactedCause } from './redact.js';
import { withinLimits } from './silence.js';

/** What a wait is for: the first byte of an answer, or the rest. */
type Stage = 'start' | 'rest';

/** The connection of one request. It limits all waits, and closes at once when the caller aborts. */
export class Connection {
  readonly endpoint: Endpoint;
  /** The key of the request, to keep it out of messages; null without one. */
  readonly key: string | null;
  readonly #closing = new AbortController();
  readonly #listening = new AbortController();

  constructor(endpoint: Endpoint, key: string | null, caller: AbortSignal | null) {
    this.endpoint = endpoint;
    this.key = key;
    const follow = (): void => {
      this.close(caller?.reason);
    };
    caller?.addEventListener('abort', follow, { once: true, signal: this.#listening.signal });
    if (caller?.aborted === true) {
      follow();
    }
  }

  /** Aborts when the connection closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Waits for `work` for at most `silenceMs`. Rejects with the reason when the connection closes meanwhile. */
  wait<T>(work: Promise<T>, stage: Stage): Promise<T> {
    return withinLimits(work, { ms: this.endpoint.silenceMs, signal: this.signal, onSilence: () => this.#silence(stage) });
  }

  /** Closes the connection; waits reject with the reason. */
  close(reason: unknown): void {
    this.release();
    this.#closing.abort(reason);
  }

  /** To be called when the answer has ended, because the caller's signal may live longer. */
  release(): void {
    this.#listening.abort();
  }

  /** The error of a failure for the user. Keeps a `LoupeError`, and the reason of a closed connection. */
  failure(thrown: unknown, stage: Stage): unknown {
    if (thrown instanceof LoupeError || (this.signal.aborted && thrown === this.signal.reason)) {
      return thrown;
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
