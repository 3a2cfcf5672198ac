import { failure, LoupeError } from '../../engine/errors.js';
import type { Endpoint } from '../endpoint.js';
import { connectionError, isSilence } from './connectionError.js';
import { redactedCause } from './redact.js';
import { withinLimits } from './silence.js';

/** What a wait is for: the start of an answer, or what follows. */
type Stage = 'start' | 'rest';

/** The connection of one request: its waits are limited, and the caller's abort closes it at once. */
export class Connection {
  readonly endpoint: Endpoint;
  /** The key of the request, so that no message tells it; null without one. */
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

  /** Aborts when the connection is to be closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Waits as long as the endpoint may be silent; rejects with the reason when the connection is closed meanwhile. */
  wait<T>(work: Promise<T>, stage: Stage): Promise<T> {
    return withinLimits(work, { ms: this.endpoint.silenceMs, signal: this.signal, onSilence: () => this.#silence(stage) });
  }

  /** Closes it; waits in progress end with the reason. */
  close(reason: unknown): void {
    this.release();
    this.#closing.abort(reason);
  }

  /** To be called when the answer has ended: the caller's signal may outlive it. */
  release(): void {
    this.#listening.abort();
  }

  /** What a failure is for the user. The reason of a closed connection stays as it is, and so does a `LoupeError`. */
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
