import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import { raceAbort } from '../../engine/run/abortRace.js';
import { CallTimes, type CallListener } from './callTimes.js';
import type { Elicit, ElicitAnswer, ElicitRequest } from './elicitation.js';
import type { McpLimits } from './limits.js';

export interface OpenCallsPorts {
  readonly name: string;
  readonly limits: Pick<McpLimits, 'silentCallMs' | 'longestCallMs'>;
  readonly elicit: Elicit;
  readonly reportError: (error: LoupeError) => void;
}

/** The calls in progress of one session, and the server's questions to the user during these calls. */
export class OpenCalls {
  readonly #ports: OpenCallsPorts;
  readonly #calls = new Set<CallTimes>();
  /** Aborted when the last call in progress ends. */
  #none = new AbortController();
  #questions = 0;

  constructor(ports: OpenCallsPorts) {
    this.#ports = ports;
  }

  begin(news: CallListener): CallTimes {
    const times = new CallTimes(this.#ports.limits, news);
    this.#calls.add(times);
    if (this.#questions > 0) {
      times.pause();
    }
    return times;
  }

  end(times: CallTimes): void {
    times.end();
    this.#calls.delete(times);
    if (this.#calls.size === 0) {
      this.#none.abort();
      this.#none = new AbortController();
    }
  }

  /** Asks the user. If all calls end during a question, closes the question, because its answer is useless. */
  async ask(request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer> {
    const until = this.#calls.size === 0 ? signal : AbortSignal.any([signal, this.#none.signal]);
    this.#questions += 1;
    if (this.#questions === 1) {
      this.#calls.forEach((times) => {
        times.pause();
      });
    }
    try {
      const answer = await raceAbort(this.#ports.elicit(this.#ports.name, request, until), until);
      return answer === 'aborted' ? { action: 'cancel' } : answer;
    } catch (thrown) {
      this.#ports.reportError(toLoupeError(thrown));
      return { action: 'cancel' };
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) {
        this.#calls.forEach((times) => {
          times.resume();
        });
      }
    }
  }
}
