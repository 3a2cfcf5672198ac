import type { IdleOffer } from '../../src/engine/cache/idleOffers.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { markedCache } from '../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, ONE_TOKEN, words, type CachingHouse } from '../support/host/cachingHouse.js';
import { RunningClock, until } from '../support/host/clocks.js';
import { IdleTimer } from '../support/host/idleTimer.js';
import { MemoryFiles, Windows } from '../support/host/window.js';
import { Random, type LogNormal } from './judge/random.js';

const DAYS = 7;
const TURNS_OF_A_DAY = 8;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Seconds. The measured pauses of `pauses.ts`. */
const PAUSE: LogNormal = { median: 86, sigma: 2.1, least: 3, most: 1_000_000 };
/** So many that the first expiry already costs more than a cent, and Loupe shows it. */
const SYSTEM_WORDS = 4_000;
/** Of the provider's models, in US dollars per million tokens. */
const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 } as const;
const PER_MILLION = 1_000_000;

/** An offer that the user took, and what became of it. Costs are in US dollars. */
export interface TakenOffer {
  readonly kind: IdleOffer['kind'];
  /** Day of the week, from 1. */
  readonly day: number;
  /** From the last reply to the next message. */
  readonly minutesAway: number;
  /** Keep-warm requests, 0 for a summary. */
  readonly requests: number;
  /** What the offer cost: of its keep-warm requests those that were sent. */
  readonly offered: number;
  readonly billed: number;
  /** The cost of the next message after the expiry as the offer said it, and what the next message cost. */
  readonly cold: number;
  readonly next: number;
}

export interface AwayWeek {
  /** What the provider billed. */
  readonly billed: number;
  /** What the chat shows as its cost. */
  readonly shown: number;
  readonly taken: readonly TakenOffer[];
}

export interface WeekSettings {
  readonly seed: number;
  /** Words of each message. */
  readonly words: number;
  /** Whether the user takes the first offer before each expiry. Without it, the user answers no offer. */
  readonly takesOffers: boolean;
}

/** Plays a week of a chat in the host of the extension, against a provider with a cache and a test clock. */
export async function awayWeek(settings: WeekSettings): Promise<AwayWeek> {
  const windows = new Windows();
  await windows.load();
  await windows.newFolder();
  const clock = new RunningClock();
  const cache = markedCache({ minimumTokens: HOUSE_MINIMUM });
  const house = await cachingHouse({ protocol: 'anthropic', cache, clock, minimumTokens: HOUSE_MINIMUM });
  const idleTimer = new IdleTimer(clock);
  try {
    const window = windows.open({
      ...{ clock, idleTimer, files: new MemoryFiles(), sources: [house.source] },
      config: { model: house.practice, systemPrompt: words(SYSTEM_WORDS, 3), titles: 'off' },
    });
    return await new Week({ session: await window.chats.create(), clock, idleTimer, house, settings }).play();
  } finally {
    await windows.closeAll();
    await house.server.stop();
  }
}

interface WeekOptions {
  readonly session: ChatSession;
  readonly clock: RunningClock;
  readonly idleTimer: IdleTimer;
  readonly house: CachingHouse;
  readonly settings: WeekSettings;
}

/** An offer that the user took during a pause. */
type Chosen = Omit<TakenOffer, 'next' | 'day' | 'minutesAway'>;

class Week {
  readonly #options: WeekOptions;
  readonly #random: Random;

  constructor(options: WeekOptions) {
    this.#options = options;
    this.#random = new Random(options.settings.seed);
  }

  async play(): Promise<AwayWeek> {
    const { clock, house, session } = this.#options;
    const begin = clock.time;
    const taken: TakenOffer[] = [];
    let chosen: readonly Chosen[] = [];
    for (let turn = 0; turn < DAYS * TURNS_OF_A_DAY; turn += 1) {
      const day = Math.floor(turn / TURNS_OF_A_DAY) + 1;
      const from = clock.time;
      if (turn > 0) {
        const back = Math.max(from + this.#random.logNormal(PAUSE) * 1_000, begin + (day - 1) * DAY_MS);
        chosen = await this.#wait(back);
      }
      const minutesAway = (clock.time - from) / MINUTE_MS;
      const { length } = house.server.requests;
      await session.conversation.send(words(this.#options.settings.words, turn));
      const next = billedFor(house, length);
      taken.push(...chosen.map((each) => ({ ...each, day, minutesAway, next })));
    }
    const shown = [...session.state.attempts.values()].reduce((sum, { end }) => sum + (end?.cost?.usd ?? NaN), 0);
    return { billed: billedFor(house, 0), shown, taken };
  }

  /** Lets time pass until the user is back. Returns the offers that the user took meanwhile. */
  async #wait(back: number): Promise<readonly Chosen[]> {
    const { clock, idleTimer, session, settings } = this.#options;
    const chosen: Chosen[] = [];
    const isOver = (): boolean => clock.time >= back;
    // Time passes only between requests. A summary in the background may be one.
    await until(() => session.compactor.status?.kind !== 'running', 'the end of the summary');
    while (settings.takesOffers && !isOver()) {
      await idleTimer.pass(() => isOver() || session.idle.status !== null, 'an offer or the expiry');
      const status = isOver() ? null : session.idle.status;
      const offer = status?.kind === 'offered' ? status.offers[0] : undefined;
      if (status?.kind !== 'offered' || offer === undefined) {
        break;
      }
      chosen.push(await this.#take(offer, status.cold, isOver));
      if (offer.kind === 'summarize') {
        break;
      }
    }
    clock.time = Math.max(clock.time, back);
    return chosen;
  }

  async #take(offer: IdleOffer, cold: number, isOver: () => boolean): Promise<Chosen> {
    const { idleTimer, session, house } = this.#options;
    const { length } = house.server.requests;
    if (offer.kind === 'summarize') {
      await session.idle.choose(offer.kind);
      return { kind: 'summarize', requests: 0, offered: offer.cost, billed: billedFor(house, length), cold };
    }
    house.replies.push(...Array.from({ length: offer.requests }, () => ONE_TOKEN));
    await session.idle.choose(offer.kind);
    await idleTimer.pass(() => isOver() || session.idle.status?.kind !== 'warm', 'the end of keeping warm');
    house.replies.splice(0);
    const requests = house.server.requests.length - length;
    return { kind: 'keepWarm', requests, offered: (offer.cost / offer.requests) * requests, billed: billedFor(house, length), cold };
  }
}

/** What the server bills for the requests from index `first` on, in US dollars. */
function billedFor({ server }: CachingHouse, first: number): number {
  return server.requests.slice(first).reduce((sum, { usage }) => {
    if (usage === null) {
      throw new Error('The server refused a request.');
    }
    const { read, written5m, written1h, fresh, output } = usage;
    const { cacheRead, cacheWrite5m, cacheWrite1h, input, output: outputPrice } = PRICES;
    return (
      sum + (read * cacheRead + written5m * cacheWrite5m + written1h * cacheWrite1h + fresh * input + output * outputPrice) / PER_MILLION
    );
  }, 0);
}
