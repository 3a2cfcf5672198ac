import { newId } from '../../../engine/chat/order/ids.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { KEEP_WARM_MARGIN_MS, type IdleOffer } from '../../../engine/cache/idleOffers.js';
import { recordedError, type LoupeError } from '../../../engine/errors.js';
import { chargedWithoutCache } from '../../../engine/next/keepWarm.js';
import { keepWarmRun } from '../../../engine/run/keepWarmRun.js';
import { price } from '../../../protocol/numbers.js';
import type { RunClaim } from '../../../storage/windows/runClaim.js';
import type { RequestComposer } from '../../request/compose/requestComposer.js';
import { costOfHousekeeping } from '../../request/requestCost.js';
import { driveHousekeeping, type HousekeepingPorts } from '../runs/driveHousekeeping.js';
import type { SpendGate } from '../spend/spendGate.js';
import type { LogFollower } from '../windows/logFollower.js';
import { keepWarmOf, type IdleFiguresPorts } from './idleFigures.js';

export interface KeepWarmPorts extends HousekeepingPorts, Omit<IdleFiguresPorts, 'clock'> {
  readonly follower: Pick<LogFollower, 'poll'>;
  readonly summaryClaim: Pick<RunClaim, 'take' | 'release'>;
  readonly composer: Pick<RequestComposer, 'prepare'>;
  readonly spending: Pick<SpendGate, 'objections'>;
  logError(error: LoupeError): void;
}

/**
 * The order to keep the cache of a chat warm, by at most the requests of an offer. If several windows have the order,
 * each request is sent by one of them, and counts for all.
 */
export class KeepWarmOrder {
  readonly #ports: KeepWarmPorts;
  readonly #most: number;
  /** Id of the last attempt before the order. Its place in the log, not a time, because the clock may be set back. */
  readonly #after: string | undefined;
  /** In epoch milliseconds. */
  readonly until: number;

  constructor({ time, requests }: Extract<IdleOffer, { readonly kind: 'keepWarm' }>, ports: KeepWarmPorts) {
    this.#ports = ports;
    this.#most = requests;
    this.#after = [...ports.log.state.attempts.keys()].at(-1);
    this.until = ports.clock.now() + time;
  }

  /** The requests of all windows since the order. */
  get sent(): readonly AttemptState[] {
    const attempts = [...this.#ports.log.state.attempts.values()];
    const first = attempts.findLastIndex(({ id }) => id === this.#after) + 1;
    return attempts.slice(first).filter(({ purpose, end }) => purpose === 'keepWarm' && end !== null);
  }

  get isDone(): boolean {
    return this.sent.length >= this.#most;
  }

  /**
   * Sends one request, unless another window has sent it. Returns why Loupe can no longer keep the cache warm, as a
   * sentence, or null.
   */
  async send(signal: AbortSignal): Promise<string | null> {
    const { summaryClaim, follower } = this.#ports;
    if (!(await summaryClaim.take())) {
      return null;
    }
    try {
      await follower.poll();
      return await this.#sendIfNeeded(signal);
    } finally {
      await summaryClaim.release();
    }
  }

  async #sendIfNeeded(signal: AbortSignal): Promise<string | null> {
    const { log, clock, random, composer, spending } = this.#ports;
    const { state } = log;
    const request = await keepWarmOf(state, this.#ports);
    const left = (request?.composed.forecast?.expiresAt ?? 0) - clock.now();
    if (request === null || left <= 0) {
      return 'The cache has expired.';
    }
    if (left > KEEP_WARM_MARGIN_MS) {
      return null;
    }
    const [objection] = await spending.objections(costOfHousekeeping(request.composed, 1));
    if (objection !== undefined) {
      return 'The next request would exceed a spend limit.';
    }
    const runId = newId(clock, random);
    const prepare = (attemptId: string): ReturnType<RequestComposer['prepare']> =>
      composer.prepare(request.composed, state, { attemptId, picks: null });
    const error = await driveHousekeeping(runId, keepWarmRun({ runId, signal, prepare }, this.#ports), this.#ports);
    if (error !== null) {
      this.#ports.logError(recordedError(error));
    }
    const attempt = [...log.state.attempts.values()].findLast((each) => each.runId === runId);
    if (attempt !== undefined && isChargedAsWrite(attempt)) {
      return wrongBill(attempt);
    }
    return error === null ? null : error.message;
  }
}

function wrongBill({ model, end }: AttemptState): string {
  const usd = end?.cost?.usd ?? null;
  const paid = usd === null ? '' : ` and charged ${price(usd)}`;
  return `The provider did not read its cache${paid}. Loupe no longer offers this for ${model.model}.`;
}

/** Whether the provider charged for a keep-warm request as if the cache were empty. */
export function isChargedAsWrite({ purpose, end, manifest }: AttemptState): boolean {
  return purpose === 'keepWarm' && end !== null && chargedWithoutCache(end.usage, manifest.forecast?.read ?? 0);
}
