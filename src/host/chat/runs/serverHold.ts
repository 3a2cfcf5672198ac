import { orAborted } from '../../../engine/run/abortRace.js';
import type { ServerQuestionView } from '../../../protocol/servers.js';
import type { NeededServers } from '../../tools/neededServers.js';
import type { Toolbox } from '../../tools/toolbox.js';
import type { SessionLog } from '../sessionLog.js';

/** In ms: longer than most servers take to start, and no longer than people wait for a reply that does not begin. */
const LONGEST_HOLD_MS = 10_000;

/** In ms. Faster starts are not shown. */
const SHOWN_AFTER_MS = 500;

export interface HoldPorts {
  readonly asks: Pick<Toolbox, 'startQuestion' | 'answerStart'>;
  readonly log: Pick<SessionLog, 'changed'>;
}

/**
 * A message of one chat that waits for its servers: as long as the user is asked whether they may start, then no longer than
 * `LONGEST_HOLD_MS`, and at most until the user sends it without them. A server that is not waited for goes on starting.
 */
export class ServerHold {
  readonly #asks: HoldPorts['asks'];
  readonly #log: HoldPorts['log'];
  /** The names of those that are waited for. */
  #waiting: readonly string[] = [];
  #isShown = false;
  #sendNow: () => void = () => undefined;

  constructor({ asks, log }: HoldPorts) {
    this.#asks = asks;
    this.#log = log;
  }

  /** The server that a message of the chat waits for, and that may not start before the user allows it; null for none. */
  get question(): ServerQuestionView | null {
    const question = this.#asks.startQuestion();
    return question !== null && this.#waiting.includes(question.name) ? question : null;
  }

  /** Answers a question. Returns whether it was still open. */
  answer(question: string, isAllowed: boolean): boolean {
    return this.#asks.answerStart(question, isAllowed);
  }

  /** The names of the servers that a message waits for; empty while that is too short to be told. */
  get starting(): readonly string[] {
    return this.#isShown ? this.#waiting : [];
  }

  /** Sends the message that waits without what has not started. */
  sendWithout(): void {
    this.#sendNow();
  }

  /** Starts what is needed. Resolves when the message waits no longer, or the signal aborts. Never rejects. */
  async start({ servers, others }: NeededServers, signal: AbortSignal): Promise<void> {
    const sentNow = new Promise<void>((resolve) => {
      this.#sendNow = resolve;
    });
    this.#waiting = servers.filter(({ status }) => status !== 'running').map(({ name }) => name);
    const shown = setTimeout(() => {
      this.#isShown = true;
      this.#log.changed('state');
    }, SHOWN_AFTER_MS);
    const ready = Promise.all([others(signal), ...servers.map((server) => this.#started(server, signal))]);
    const timer = new AbortController();
    try {
      const answered = Promise.all(servers.map((server) => server.allowed(signal)));
      const late = answered.then(() => after(LONGEST_HOLD_MS, timer.signal));
      await orAborted(Promise.race([ready, late, sentNow]), signal);
    } finally {
      timer.abort();
      clearTimeout(shown);
      this.#waiting = [];
      this.#sendNow = () => undefined;
      if (this.#isShown) {
        this.#isShown = false;
        this.#log.changed('state');
      }
    }
  }

  async #started(server: NeededServers['servers'][number], signal: AbortSignal): Promise<void> {
    await server.start(signal);
    this.#waiting = this.#waiting.filter((name) => name !== server.name);
    if (this.#isShown) {
      this.#log.changed('state');
    }
  }
}

/** Resolves after a time, or when the signal aborts. */
function after(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
