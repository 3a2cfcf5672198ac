import { lastRun } from '../../engine/chat/branch.js';
import { modelOrOwn } from '../../engine/model/modelRef.js';
import { newId } from '../../engine/chat/order/ids.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import { failure, recordedError, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { STOP } from '../../engine/run/input.js';
import { titleRun } from '../../engine/run/titleRun.js';
import { titleRequest } from '../../engine/run/titleRequest.js';
import { costOfHousekeeping } from '../request/requestCost.js';
import { composeAlone } from '../request/compose/aloneRequest.js';
import type { Composed } from '../request/composed.js';
import type { RequestComposer } from '../request/compose/requestComposer.js';
import type { SpendGate } from './spend/spendGate.js';
import { titleNotAsked } from './spend/spendTexts.js';
import type { Attendance } from './summary/summaryWork.js';
import { driveHousekeeping, type HousekeepingPorts } from './runs/driveHousekeeping.js';

export interface TitlerPorts extends HousekeepingPorts {
  readonly spending: Pick<SpendGate, 'objections' | 'ask'>;
  readonly requests: Pick<RequestComposer, 'compose' | 'prepare'>;
  logError(error: LoupeError): void;
}

/** Has a model write the title of one chat. It never makes the chat busy; how it ends is shown in the conversation. */
export class Titler {
  readonly #ports: TitlerPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(ports: TitlerPorts) {
    this.#ports = ports;
  }

  /** Writes a title after the first exchange of a chat that nobody has named. To be called after each run. */
  check(): void {
    if (wantsTitle(this.#ports.log.state)) {
      this.#generate('unattended').catch((thrown: unknown) => {
        this.#ports.logError(toLoupeError(thrown));
      });
    }
  }

  /**
   * Writes a title, which replaces the one that the chat has. Resolves when it is there, or was stopped, or could not be
   * written: the conversation says why. Rejects with `invalidInput` while nothing was said or one is being written.
   */
  generate(): Promise<void> {
    return this.#generate('attended');
  }

  async #generate(attendance: Attendance): Promise<void> {
    this.#ports.log.checkWritable();
    if (this.#running !== null) {
      throw failure('chat.writingTitle');
    }
    const asks = titleRequest(this.#ports.log.state.timeline);
    if (asks === null) {
      throw failure('chat.nothingToTitle');
    }
    const abort = new AbortController();
    const done = this.#write(asks, attendance, abort).finally(() => {
      this.#running = null;
    });
    this.#running = { abort, done };
    await done;
  }

  /** Ends the writing for one of the reasons of `run/input.ts`, and waits for its end. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.ended();
  }

  /** Resolves when no title is being written. The caller of `generate` gets its error. */
  async ended(): Promise<void> {
    await this.#running?.done.catch(() => undefined);
  }

  async #write(asks: string, attendance: Attendance, abort: AbortController): Promise<void> {
    const { log, requests } = this.#ports;
    // The user may go on meanwhile: what is named stays what it was.
    const state: ChatState = { ...log.state, timeline: [...log.state.timeline] };
    const { config, title } = state;
    // Nothing is worth caching in it, and the instructions of an agent are not for it.
    const asked: ChatState = {
      ...state,
      config: { ...config, model: modelOrOwn(config.titleModel, config.model), cacheMode: 'all-off', agent: '' },
    };
    const runId = newId(this.#ports.clock, this.#ports.random);
    let isAllowed = false;
    const steps = titleRun(
      {
        runId,
        asks,
        signal: abort.signal,
        isWanted: () => log.state.title === title,
        prepare: async (attemptId) => {
          const composed = await composeAlone(requests, asked, asks);
          isAllowed ||= await this.#mayAsk(composed, attendance, abort);
          return requests.prepare(composed, asked, { attemptId, picks: null });
        },
      },
      this.#ports,
    );
    const error = await driveHousekeeping(runId, steps, this.#ports);
    if (error !== null) {
      this.#ports.logError(recordedError(error));
    }
  }

  /** Resolves when the request may be sent. What the user does not allow is stopped; what nobody is there to allow is refused. */
  async #mayAsk(composed: Composed, attendance: Attendance, abort: AbortController): Promise<true> {
    const { spending } = this.#ports;
    // A title has a few words: what they cost does not matter, compared with the rest.
    const cost = costOfHousekeeping(composed, null);
    const [objection] = await spending.objections(cost);
    if (objection !== undefined && attendance === 'unattended') {
      throw titleNotAsked(objection, cost);
    }
    if (objection !== undefined && !(await spending.ask({ about: 'title', cost, objection }, abort.signal))) {
      abort.abort(STOP);
      throw failure('request.stopped');
    }
    return true;
  }
}

/** Whether a model should write a title now: titles are on, the first turn has just ended, and the chat has neither a title nor a failed try. */
function wantsTitle(state: ChatState): boolean {
  const { config, title, extent, runs, timeline } = state;
  const asked = messagesOf(timeline).filter(({ role }) => role === 'user');
  return (
    config.titles === 'on' &&
    title === null &&
    extent === 'whole' &&
    asked.length === 1 &&
    lastRun(state)?.status === 'committed' &&
    [...runs.values()].every(({ cause }) => cause !== 'title')
  );
}
