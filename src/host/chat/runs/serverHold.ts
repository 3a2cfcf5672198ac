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
 * Delays a message until its MCP servers have started, and the resources of the chat are read. Waits until the user has
 * decided whether the servers may start, then for at most `LONGEST_HOLD_MS`. The user can also send without the
 * servers. A server that is late continues to start.
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
  async start({ servers, read, readResources }: NeededServers, signal: AbortSignal): Promise<void> {
    const sentNow = new Promise<void>((resolve) => {
      this.#sendNow = resolve;
    });
    const late = servers.filter(({ name, status }) => status !== 'running' || read.has(name));
    this.#waiting = late.map(({ name }) => name);
    const shown = setTimeout(() => {
      this.#isShown = true;
      this.#log.changed('state');
    }, SHOWN_AFTER_MS);
    const reading = readResources(signal);
    // A server is ready when it runs and, if the chat has resources of it, when they are read.
    const started = servers.map((server) => this.#started(server, { reading: read.has(server.name) ? reading : null, signal }));
    const ready = Promise.all([reading, ...started]);
    const timer = new AbortController();
    try {
      const answered = Promise.all(servers.map((server) => server.allowed(signal)));
      const limit = answered.then(() => after(LONGEST_HOLD_MS, timer.signal));
      await raceAbort(Promise.race([ready, limit, sentNow]), signal);
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

  async #started(server: NeededServers['servers'][number], { reading, signal }: Started): Promise<void> {
    await Promise.all([server.start(signal), reading]);
    this.#waiting = this.#waiting.filter((name) => name !== server.name);
    if (this.#isShown) {
      this.#log.changed('state');
    }
  }
}

interface Started {
  /** The read of the chat's resources, if some are of the server. Null otherwise. */
  readonly reading: Promise<void> | null;
  readonly signal: AbortSignal;
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
