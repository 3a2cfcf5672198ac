import { raceAbort } from '../../../engine/run/abortRace.js';
import type { ServerQuestionView } from '../../../protocol/questions.js';
import type { NeededServers } from '../../tools/neededServers.js';
import type { Toolbox } from '../../tools/toolbox.js';
import type { SessionLog } from '../sessionLog.js';

/** Maximum wait for servers in ms. Most servers start faster, and users do not wait longer for a reply. */
const LONGEST_HOLD_MS = 10_000;

/** Delay in ms before the panel shows a starting server. */
const SHOWN_AFTER_MS = 500;

export interface HoldPorts {
  readonly asks: Pick<Toolbox, 'startQuestion' | 'answerStart'>;
  readonly log: Pick<SessionLog, 'changed'>;
}

/**
 * Delays a message until its MCP servers have started. Waits until the user has decided whether they may start, then
 * for at most `LONGEST_HOLD_MS`. The user can also send without the servers. A server that is late continues to start.
 */
export class ServerHold {
  readonly #asks: HoldPorts['asks'];
  readonly #log: HoldPorts['log'];
  #waiting: readonly string[] = [];
  #isShown = false;
  #sendNow: () => void = () => undefined;

  constructor({ asks, log }: HoldPorts) {
    this.#asks = asks;
    this.#log = log;
  }

  /** The server that must start for a waiting message and needs the user's approval, or null. */
  get question(): ServerQuestionView | null {
    const question = this.#asks.startQuestion();
    return question !== null && this.#waiting.includes(question.name) ? question : null;
  }

  answer(question: string, isAllowed: boolean): boolean {
    return this.#asks.answerStart(question, isAllowed);
  }

  /** Names of the servers that a message waits for. Empty during a short wait. */
  get starting(): readonly string[] {
    return this.#isShown ? this.#waiting : [];
  }

  sendWithout(): void {
    this.#sendNow();
  }

  /** Starts the servers of a message. Resolves when the message can be sent or the signal aborts. Never rejects. */
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
      await raceAbort(Promise.race([ready, late, sentNow]), signal);
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

/** Resolves after a time in ms, or when the signal aborts. */
function after(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
