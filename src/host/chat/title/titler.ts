import { lastRun } from '../../../engine/chat/branch.js';
import { modelOrOwn } from '../../../engine/model/modelRef.js';
import { newId } from '../../../engine/chat/order/ids.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { messagesOf } from '../../../engine/chat/timeline.js';
import { type LoupeError, failure, recordedError, logFailure } from '../../../engine/errors.js';
import { STOP } from '../../../engine/run/input.js';
import { titleRequest, titleRun } from '../../../engine/run/titleRun.js';
import { costOfHousekeeping } from '../../request/requestCost.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { RequestComposer } from '../../request/compose/requestComposer.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { SpendGate } from '../spend/spendGate.js';
import { titleNotAsked } from '../spend/spendTexts.js';
import type { Attendance } from '../summary/summaryWork.js';
import { type HousekeepingPorts, driveHousekeeping } from '../runs/driveHousekeeping.js';

export interface TitlerPorts extends HousekeepingPorts {
  readonly spending: Pick<SpendGate, 'objections' | 'ask'>;
  readonly composer: Pick<RequestComposer, 'composeAlone' | 'prepare'>;
  logError(error: LoupeError): void;
}

/** The title of a chat. A model writes it without making the chat busy. */
export class Titler implements Behaviour {
  readonly #ports: TitlerPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(ports: TitlerPorts) {
    this.#ports = ports;
  }

  /** Requests a title after the first turn, if the chat has no title. */
  turnEnded(): void {
    if (wantsTitle(this.#ports.log.state)) {
      this.#generate('unattended').catch(logFailure(this.#ports));
    }
  }

  /**
   * Requests a title that replaces the current title. Resolves when the title is written, stopped or failed; the
   * conversation shows a failure. Rejects with `invalidInput` without messages, or while a title is being written.
   */
  generate(): Promise<void> {
    return this.#generate('attended');
  }

  async rename(title: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    if (title.trim() === '') {
      throw failure('chat.emptyTitle');
    }
    await log.record([{ type: 'title', title: title.trim(), by: 'user' }], 'durable');
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

  /** Stops the writing of a title, with a reason from `run/input.ts`. Resolves when the writing has ended. */
  async stop(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.ended();
  }

  /** Resolves when no title is being written. Never rejects: only the caller of `generate` gets an error. */
  async ended(): Promise<void> {
    await this.#running?.done.catch(() => undefined);
  }

  async #write(asks: string, attendance: Attendance, abort: AbortController): Promise<void> {
    const { log, composer } = this.#ports;
    // The conversation may go on meanwhile, so the request for the title uses a copy of the timeline.
    const state: ChatState = { ...log.state, timeline: [...log.state.timeline] };
    const { config, title } = state;
    // A title request is sent only once, so caching brings nothing. The agent's instructions are for replies only.
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
          const composed = await composer.composeAlone(asked, asks);
          isAllowed ||= await this.#mayAsk(composed, attendance, abort);
          return composer.prepare(composed, asked, { attemptId, picks: null });
        },
      },
      this.#ports,
    );
    const error = await driveHousekeeping(runId, steps, this.#ports);
    if (error !== null) {
      this.#ports.logError(recordedError(error));
    }
  }

  /** Resolves when the request may be sent, after asking the user if a limit requires it. Rejects otherwise. */
  async #mayAsk(composed: ComposedRequest, attendance: Attendance, abort: AbortController): Promise<true> {
    const { spending } = this.#ports;
    // A title has few words, so the price of the output is ignored.
    const cost = costOfHousekeeping(composed, null);
    const [objection] = await spending.objections(cost);
    if (objection !== undefined && attendance === 'unattended') {
      throw titleNotAsked(objection, cost);
    }
    if (objection !== undefined && (await spending.ask({ about: 'title', cost, objection }, null, abort.signal)) === 'refused') {
      abort.abort(STOP);
      throw failure('request.stopped');
    }
    return true;
  }
}

/** Returns whether the first turn has just ended, and the chat gets a title after it. */
function wantsTitle(state: ChatState): boolean {
  return getsTitle(state, 1) && lastRun(state)?.status === 'committed';
}

/** Whether the user has sent `messages`, titles are on, and no title exists or was attempted before. */
export function getsTitle({ config, title, extent, runs, timeline }: ChatState, messages: number): boolean {
  return (
    config.titles === 'on' &&
    title === null &&
    extent === 'whole' &&
    messagesOf(timeline).filter(({ role }) => role === 'user').length === messages &&
    [...runs.values()].every(({ cause }) => cause !== 'title')
  );
}
