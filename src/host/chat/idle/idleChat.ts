import type { ChatEvent } from '../../../engine/chat/event.js';
import { isIn, periodAt } from '../../../engine/accounting/periods.js';
import type { LocalTime } from '../../../engine/accounting/usedAttempt.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { KEEP_WARM_MARGIN_MS, type IdleOffer } from '../../../engine/cache/idleOffers.js';
import { failure, logFailure, toLoupeError } from '../../../engine/errors.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { ModelLearning } from '../../../engine/next/learned.js';
import type { Clock } from '../../../engine/ports.js';
import { SHUT_DOWN } from '../../../engine/run/input.js';
import { price } from '../../../protocol/numbers.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { Compactor } from '../summary/compactor.js';
import type { LogFollower } from '../windows/logFollower.js';
import { cacheOf, offersFor, type ExpiredChat, type IdleFiguresPorts, type OfferedActions } from './idleFigures.js';
import { isChargedAsWrite, KeepWarmOrder, type KeepWarmPorts } from './keepWarmOrder.js';
import { WakeUps } from './wakeUps.js';

export interface IdleChatPorts extends KeepWarmPorts, Omit<IdleFiguresPorts, 'clock' | 'learned'> {
  readonly learned: Pick<ModelLearning, 'caches' | 'notKeptWarm'>;
  readonly follower: Pick<LogFollower, 'poll' | 'whole'>;
  readonly compactor: Pick<Compactor, 'summarizeOnShow' | 'dismiss' | 'status'>;
  readonly isRunning: () => boolean;
  /** Identifies this VS Code window in the log. */
  readonly writerId: string;
  /** Waits between the checks of an idle chat. Separate from `clock`, because it waits for hours. */
  readonly idleTimer: Pick<Clock, 'sleep'>;
  readonly localTime: LocalTime;
}

/** What the panel shows about an idle chat. Null when there is nothing to show. */
export type IdleStatus =
  | OfferedActions
  | ExpiredChat
  /** Loupe keeps the cache warm until `until` (epoch ms). `spent`: US dollars of the requests so far. */
  | { readonly kind: 'warm'; readonly until: number; readonly spent: number; readonly requests: number }
  /** Why Loupe did not do what the user chose, or ended it. */
  | { readonly kind: 'note'; readonly text: string }
  | null;

/** Time before the expiry at which Loupe offers something, in ms. */
const OFFERED_BEFORE_MS = 240_000;

/** Time after the last change of a chat before Loupe looks at its cache, in ms. */
const SETTLED_MS = 2_000;

/** How much more than shown an action may cost, as a share: figures of the same moment differ by roundings. */
const TOLERANCE = 0.1;

/** US dollars in a cent, the unit of `whileAwayLimit`. */
const CENT = 0.01;

/**
 * Offers what pays before the cache of an idle chat expires, and says afterwards what the expiry costs. Sends nothing
 * without the user's choice or the setting `automatic`. The order to keep a cache warm ends with the next message.
 */
export class IdleChat implements Behaviour {
  readonly #ports: IdleChatPorts;
  #status: IdleStatus = null;
  #order: KeepWarmOrder | null = null;
  /** The pause of the order. */
  #orderPause: string | null = null;
  readonly #wakeUps: WakeUps;
  #sending: Promise<string | null> | null = null;
  readonly #closing = new AbortController();

  constructor(ports: IdleChatPorts) {
    this.#ports = ports;
    this.#wakeUps = new WakeUps(ports.clock, ports.idleTimer);
  }

  get status(): IdleStatus {
    return this.#status;
  }

  /** Identifies the pause of the chat: the last reply before it. Null before the first reply. */
  get pause(): string | null {
    return [...this.#ports.log.state.attempts.values()].findLast(({ purpose }) => purpose === 'reply')?.id ?? null;
  }

  chatLoaded(): void {
    for (const attempt of this.#ports.log.state.attempts.values()) {
      this.#learn(attempt);
    }
    this.#watch();
  }

  eventsLogged(events: readonly ChatEvent[]): void {
    for (const event of events) {
      const attempt = event.type === 'attempt-ended' ? this.#ports.log.state.attempts.get(event.attemptId) : undefined;
      if (attempt !== undefined) {
        this.#learn(attempt);
      }
    }
    if (this.#sending === null && events.some(({ type }) => type !== 'attempt-progress')) {
      this.#watch();
    }
  }

  /** The user is back. */
  requestComposed(): null {
    this.#end(null);
    return null;
  }

  turnEnded(): void {
    this.#watch();
  }

  async stop(reason: string): Promise<void> {
    this.#order = null;
    this.#wakeUps.stop();
    if (reason === SHUT_DOWN) {
      this.#closing.abort(SHUT_DOWN);
    }
    await this.#sending;
  }

  /** Does what the user chose, unless its price has changed. */
  async choose(kind: IdleOffer['kind']): Promise<void> {
    const { log, follower } = this.#ports;
    log.checkWritable();
    const shown = this.#status?.kind === 'offered' ? this.#status.offers.find((offer) => offer.kind === kind) : undefined;
    if (shown === undefined) {
      throw failure('idle.notOffered');
    }
    await follower.poll();
    const offered = await this.#offersNow();
    const now = offered?.offers.find((offer) => offer.kind === kind);
    if (offered !== null && now !== undefined && now.cost <= shown.cost * (1 + TOLERANCE)) {
      await this.#begin(now, offered);
      return;
    }
    const why = now === undefined ? 'it no longer pays' : `it now costs ${price(now.cost)} instead of ${price(shown.cost)}`;
    this.#end(`Loupe did nothing: ${why}.`);
  }

  /** Summarizes a chat whose cache has expired. Returns whether the chat has the summary: the user can cancel it. */
  async summarizeFirst(): Promise<boolean> {
    const { log, compactor } = this.#ports;
    const upTo = this.#status?.kind === 'expired' ? (this.#status.summary?.upTo ?? null) : null;
    if (upTo === null) {
      throw failure('idle.notOffered');
    }
    const { size } = log.state.compactions;
    this.#end(null);
    await compactor.summarizeOnShow(upTo);
    return log.state.compactions.size > size;
  }

  /** In all windows, declines the offer until the next reply and ends the keeping. Closes the note of this window. */
  async leave(): Promise<void> {
    const { log } = this.#ports;
    this.#end(null);
    if (this.pause !== null && log.isWritable) {
      await log.record([{ type: 'idle-declined', after: this.pause }], 'durable');
    }
  }

  async #begin(offer: IdleOffer, { upTo }: OfferedActions): Promise<void> {
    if (offer.kind === 'summarize') {
      this.#end(null);
      await this.#ports.compactor.summarizeOnShow(upTo);
      return;
    }
    this.#order = new KeepWarmOrder(offer, this.#ports);
    this.#orderPause = this.pause;
    this.#showOrder(this.#order);
    this.#watch();
  }

  async #offersNow(): Promise<OfferedActions | null> {
    const { log } = this.#ports;
    const cache = this.#isBusy ? null : await cacheOf(log.state, this.#ports);
    return cache?.kind === 'cached' ? offersFor(log.state, cache, this.#ports) : null;
  }

  get #isDeclined(): boolean {
    return this.pause !== null && this.#ports.log.state.declinedAfter === this.pause;
  }

  /** Whether another window has kept the cache warm in this pause. It goes on, so that the cache does not expire. */
  get #isKeptElsewhere(): boolean {
    const { log, writerId } = this.#ports;
    const last = [...log.state.attempts.values()].findLast(({ purpose }) => purpose === 'reply' || purpose === 'keepWarm');
    const writer = last?.purpose === 'keepWarm' ? log.state.runs.get(last.runId ?? '')?.writer : undefined;
    return writer !== undefined && writer !== writerId;
  }

  /** Whether the user has ended the order in another window, or has sent a message there. */
  get #isOrderOver(): boolean {
    return this.#order !== null && (this.#isDeclined || this.#orderPause !== this.pause);
  }

  get #isBusy(): boolean {
    const { isRunning, compactor } = this.#ports;
    return isRunning() || compactor.status?.kind === 'running';
  }

  #watch(): void {
    if (this.#closing.signal.aborted) {
      return;
    }
    const { clock } = this.#ports;
    this.#wakeUps.restart(clock.now() + SETTLED_MS, this.#check.bind(this)).catch((thrown: unknown) => {
      // The panel shows that the model does not exist.
      if (toLoupeError(thrown).kind !== 'modelGone') {
        logFailure(this.#ports)(thrown);
      }
    });
  }

  /** Shows an offer or follows the order. Returns when to check again; null if the chat has to change first. */
  async #check(signal: AbortSignal): Promise<number | null> {
    const { log, clock } = this.#ports;
    if (!log.isWritable || this.#isBusy || log.state.config.whileAway === 'off') {
      this.#end(null);
      return null;
    }
    if (this.#isOrderOver) {
      this.#end(null);
    }
    const cache = await cacheOf(log.state, this.#ports);
    if (signal.aborted) {
      return null;
    }
    if (this.#order !== null) {
      return this.#followOrder(this.#order, cache?.kind === 'cached' ? cache.expiresAt : null);
    }
    if (cache?.kind !== 'cached') {
      this.#show(cache);
      return null;
    }
    const offeredAt = cache.expiresAt - OFFERED_BEFORE_MS;
    if (clock.now() < offeredAt) {
      this.#show(null);
      return offeredAt;
    }
    await this.#offer(await offersFor(log.state, cache, this.#ports), signal);
    return cache.expiresAt + 1;
  }

  /** Shows an offer, or does the cheapest one where the user wants that. */
  async #offer(offered: OfferedActions | null, { aborted }: AbortSignal): Promise<void> {
    if (aborted) {
      return;
    }
    const [best] = this.#isDeclined || this.#isKeptElsewhere ? [] : (offered?.offers ?? []);
    if (offered === null || best === undefined) {
      this.#show(null);
    } else if (this.#status?.kind !== 'note' && (await this.#isAutomatic(best))) {
      await this.#begin(best, offered).catch(this.#ignoreOtherWindow.bind(this));
    } else {
      this.#show(offered);
    }
  }

  /** Returns whether Loupe may pay for an offer without asking. Unknown costs of this day forbid it. */
  async #isAutomatic({ cost }: IdleOffer): Promise<boolean> {
    const { log, follower, spending, clock, localTime } = this.#ports;
    const { whileAway, whileAwayLimit } = log.state.config;
    if (whileAway !== 'automatic' || (await spending.objections({ usd: cost })).length > 0) {
      return false;
    }
    const { attempts } = log.state.extent === 'whole' ? log.state : await follower.whole();
    const day = periodAt('day', localTime(clock.now()));
    const spent = [...attempts.values()]
      .filter(({ purpose, startedAt }) => (purpose === 'keepWarm' || purpose === 'summary') && isIn(localTime(startedAt), day))
      .reduce((sum, { end }) => sum + (end?.cost?.usd ?? Infinity), 0);
    return spent + cost <= whileAwayLimit * CENT;
  }

  /** A window that summarizes the chat automatically makes the same attempt of another window needless. */
  async #ignoreOtherWindow(thrown: unknown): Promise<void> {
    if (toLoupeError(thrown).code !== 'chat.summarizingElsewhere') {
      throw thrown;
    }
    await this.#ports.compactor.dismiss();
  }

  /** Sends a request of the order when the cache is about to expire. `expiresAt`: null when the cache has expired. */
  async #followOrder(order: KeepWarmOrder, expiresAt: number | null): Promise<number> {
    const { clock } = this.#ports;
    if (expiresAt === null) {
      this.#end('Loupe no longer keeps the cache warm. The cache has expired.');
      return clock.now() + SETTLED_MS;
    }
    const sendAt = expiresAt - KEEP_WARM_MARGIN_MS;
    if (clock.now() < sendAt) {
      this.#showOrder(order);
      return sendAt;
    }
    if (order.isDone) {
      this.#end(null);
      return expiresAt + 1;
    }
    await this.#send(order);
    return clock.now() + SETTLED_MS;
  }

  async #send(order: KeepWarmOrder): Promise<void> {
    this.#sending = order.send(this.#closing.signal).finally(() => {
      this.#sending = null;
    });
    const why = await this.#sending;
    // The user may have ended the order meanwhile.
    if (this.#order !== order) {
      return;
    }
    if (why === null) {
      this.#showOrder(order);
    } else {
      this.#end(`Loupe no longer keeps the cache warm. ${why}`);
    }
  }

  #learn(attempt: AttemptState): void {
    if (isChargedAsWrite(attempt)) {
      this.#ports.learned.notKeptWarm.add(modelKey(attempt.model));
    }
  }

  #showOrder({ until, sent }: KeepWarmOrder): void {
    const spent = sent.reduce((sum, { end }) => sum + (end?.cost?.usd ?? 0), 0);
    this.#set({ kind: 'warm', until, spent, requests: sent.length });
  }

  /** Ends the order and the offer, and shows why. */
  #end(text: string | null): void {
    this.#order = null;
    this.#set(text === null ? null : { kind: 'note', text });
  }

  /** Shows what a check found. A note stays until the user closes it or sends a message. */
  #show(found: OfferedActions | ExpiredChat | null): void {
    if (this.#status?.kind !== 'note') {
      this.#set(found);
    }
  }

  #set(status: IdleStatus): void {
    if (this.#status !== status) {
      this.#status = status;
      this.#ports.log.changed('state');
    }
  }
}
