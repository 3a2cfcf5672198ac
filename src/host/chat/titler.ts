import { lastRun } from '../../engine/chat/branch.js';
import { modelOrOwn } from '../../engine/model/modelRef.js';
import { newId } from '../../engine/chat/order/ids.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import { type LoupeError, failure, recordedError, toLoupeError } from '../../engine/errors.js';
import { STOP } from '../../engine/run/input.js';
import { titleRequest, titleRun } from '../../engine/run/titleRun.js';
import { costOfHousekeeping } from '../request/requestCost.js';
import { composeAlone } from '../request/compose/aloneRequest.js';
import type { ComposedRequest } from '../request/composed.js';
import type { RequestComposer } from '../request/compose/requestComposer.js';
import type { SpendGate } from './spend/spendGate.js';
import { titleNotAsked } from './spend/spendTexts.js';
import type { Attendance } from './summary/summaryWork.js';
import { type HousekeepingPorts, driveHousekeeping } from './runs/driveHousekeeping.js';

export interface TitlerPorts extends HousekeepingPorts {
  readonly spending: Pick<SpendGate, 'objections' | 'ask'>;
  readonly requests: Pick<RequestComposer, 'compose' | 'prepare'>;
  logError(error: LoupeError): void;
}

/** Lets a model write the title of a chat, without making the chat busy. */
export class Titler {
  readonly #ports: TitlerPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(ports: TitlerPorts) {
    this.#ports = ports;
  }

  /** Writes a title after the first turn of a chat without a title. Call it after each run. */
  check(): void {
    if (wantsTitle(this.#ports.log.state)) {
      this.#generate('unattended').catch((thrown: unknown) => {
        this.#ports.logError(toLoupeError(thrown));
      });
    }
  }

  /**
   * Writes a title that replaces the current one. Resolves when it is written, stopped or failed; the conversation
   * shows a failure. Rejects with `invalidInput` without messages, or while a title is being written.
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

  /** Stops the writing with a reason from `run/input.ts`, and waits for its end. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.ended();
  }

  /** Resolves when no title is being written. Only the caller of `generate` gets an error. */
  async ended(): Promise<void> {
    await this.#running?.done.catch(() => undefined);
  }

  async #write(asks: string, attendance: Attendance, abort: AbortController): Promise<void> {
    const { log, requests } = this.#ports;
    // The user may continue meanwhile, so the title uses a copy of the current timeline.
    const state: ChatState = { ...log.state, timeline: [...log.state.timeline] };
    const { config, title } = state;
    // The request has nothing worth caching, and the agent's instructions are not meant for it.
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

  /** Resolves when the request may be sent. A rejected cost stops it. An automatic title fails instead of asking. */
  async #mayAsk(composed: ComposedRequest, attendance: Attendance, abort: AbortController): Promise<true> {
    const { spending } = this.#ports;
    // A title has few words, so the cost of its output is ignored.
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

/** Returns whether to write a title now: after the first turn, if titles are on and none exists or has failed. */
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
