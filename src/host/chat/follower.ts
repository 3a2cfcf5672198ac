import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatContent } from '../../storage/chatReader.js';
import type { ReadPosition } from '../../storage/logMerge.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ChatSession } from './chatSession.js';
import { faultTexts } from './faultTexts.js';

export interface FollowerPorts {
  /** This activation of the extension: its own lines are no news. */
  readonly writerId: string;
  logError(error: LoupeError): void;
}

/** Brings what other windows write to an open chat into its session, and ends the runs of windows that died. */
export class Follower {
  readonly #session: ChatSession;
  readonly #store: ChatStore;
  readonly #ports: FollowerPorts;
  #position: ReadPosition;
  #looking: Promise<void> | null = null;
  #wanted = false;
  /** The chat has to be read whole: what is new does not just go to the end. */
  #whole = false;
  /** The code of the last failure, which is logged once, not at every look. */
  #failure: LoupeError['code'] | null = null;

  constructor(session: ChatSession, store: ChatStore, { position, ...ports }: FollowerPorts & { readonly position: ReadPosition }) {
    this.#session = session;
    this.#store = store;
    this.#ports = ports;
    this.#position = position;
  }

  /** Whether another window is answering in the chat, as far as it was read. */
  get isAnsweredElsewhere(): boolean {
    return this.#foreignRuns().length > 0;
  }

  /** Looks for news; resolves when all that was there at the call is in the session. A failure is logged. */
  look(): Promise<void> {
    this.#wanted = true;
    this.#looking ??= this.#work();
    return this.#looking;
  }

  /** The order of the log is not the one in which its events came in: reads it whole. */
  lookAtWhole(): Promise<void> {
    this.#whole = true;
    return this.look();
  }

  /** Closes the runs that a whole reading found without a living writer. */
  async closeDeadRuns({ openRuns }: Pick<ChatContent, 'openRuns'>): Promise<void> {
    const dead = openRuns.filter(({ state, writer }) => state === 'dead' && writer !== this.#ports.writerId);
    await this.#session.closeInterrupted(dead.map(({ runId }) => runId));
  }

  async #work(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      await this.#lookOnce();
    }
    this.#looking = null;
  }

  async #lookOnce(): Promise<void> {
    try {
      await this.#read();
      await this.#settleForeignRuns();
      this.#failure = null;
    } catch (thrown) {
      const error = toLoupeError(thrown);
      // A reading that is broken off because the window closes is no failure.
      if (error.code !== this.#failure && error.kind !== 'cancelled') {
        this.#failure = error.code;
        this.#ports.logError(error);
      }
    }
  }

  async #read(): Promise<void> {
    const growth = this.#whole ? null : await this.#store.readGrowth(this.#session.id, this.#position);
    if (growth === null) {
      this.#whole = true;
      await this.#readWhole();
      return;
    }
    this.#position = growth.position;
    this.#session.merge({ ...growth, faults: faultTexts(growth.faults) });
  }

  /** Reads the log, at least as far back as it is here where that is quick. */
  async #readWhole(): Promise<void> {
    this.#session.beginReload();
    const read = await this.#store.openChat(this.#session.id, this.#session.state.timeline.length);
    this.#whole = false;
    this.#position = read.position;
    this.#session.reload({ ...read, faults: faultTexts(read.faults) });
    await this.closeDeadRuns(read);
  }

  async #settleForeignRuns(): Promise<void> {
    const open = this.#foreignRuns();
    const states = await Promise.all(open.map(({ writer }) => this.#store.writerState(this.#session.id, writer)));
    const dead = open.filter((_, index) => states[index] === 'dead').map(({ id }) => id);
    if (dead.length > 0) {
      // A writer may have ended its run, and with it the sign of life, after its lines were read and before the
      // sign was looked for. All that a dead writer wrote is there now.
      await this.#read();
      const stillOpen = new Set(this.#foreignRuns().map(({ id }) => id));
      await this.#session.closeInterrupted(dead.filter((id) => stillOpen.has(id)));
    }
  }

  #foreignRuns(): readonly { readonly id: string; readonly writer: string }[] {
    const runs = [...this.#session.state.runs.values()];
    return runs.filter(({ status, writer }) => status === 'running' && writer !== this.#ports.writerId);
  }
}
