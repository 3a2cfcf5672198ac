import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type CachingServer, startCachingServer } from '../cachingServer/cachingServer.js';
import type { Failure, ReceivedRequest, Reply, RequestRecord } from '../cachingServer/options.js';
import { until } from './extension.js';

/** What happens to a request. `busy` is refused once and then answered. */
export type Fate = 'answered' | 'tool' | 'held' | 'broken' | 'refused' | 'busy';

export type Purpose = 'reply' | 'title' | 'summary';

export const BILLING_KEY = 'the-key';

/** US dollars per million tokens. */
export const BILLING_PRICES = { input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25, cacheWrite1h: 10 };

/** Prices for requests with more than `above` input tokens. */
export const LONG_PROMPTS = { above: 1_000, input: 10, output: 37.5, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20 };

export const TIER_PRICES = {
  priority: { input: 12.5, output: 50, cacheRead: 1.25, cacheWrite5m: 15, cacheWrite1h: 25 },
  flex: { input: 2.5, output: 12.5, cacheRead: 0.25, cacheWrite5m: 3, cacheWrite1h: 5 },
};

const TIERS_IN_TURN = ['priority', null, 'flex', null, null] as const;

/** How housekeeping requests begin. */
const PURPOSES: readonly (readonly [Purpose, RegExp])[] = [
  ['title', /Write a title for the conversation below/],
  ['summary', /Summarize the conversation so far/],
];

const NOTE = /note-(\d+)/g;

/** A text of the user with a number that the server can read. */
export function note(number: number, words: number): string {
  return [
    `note-${String(number).padStart(4, '0')}`,
    ...Array.from({ length: words }, (_, at) => `word${String((number * 7 + at) % 90)}`),
  ].join(' ');
}

export function lastNote(text: string): number | null {
  const last = [...text.matchAll(NOTE)].at(-1)?.[1];
  return last === undefined ? null : Number(last);
}

export interface Served {
  readonly purpose: Purpose;
  readonly bodyHash: string;
  readonly record: RequestRecord;
  /** Whether the client received the final usage. */
  readonly isWhole: boolean;
}

/** The caching server with a planned fate for each note. It knows everything it billed. */
export class BillingServer {
  readonly #fates = new Map<number, Fate>();
  housekeeping: Fate = 'answered';
  /** By note: continues or breaks its held reply. */
  readonly #held = new Map<number, (how: 'goOn' | 'break') => void>();
  /** Parsed bodies of the requests whose final usage was not sent. */
  readonly #cut = new Set<unknown>();
  #server: CachingServer | null = null;

  async start(): Promise<void> {
    const model = { minimumTokens: 64 };
    this.#server = await startCachingServer({
      key: BILLING_KEY,
      models: [
        { id: 'a', ...model },
        { id: 'o', ...model },
      ],
      reply: this.#reply.bind(this),
    });
  }

  /** The setting `loupe.providers`: the same server with two protocols. */
  get providers() {
    const prices = { ...BILLING_PRICES, longPrompts: [LONG_PROMPTS], serviceTiers: TIER_PRICES };
    const model = { maxInputTokens: 50_000, maxOutputTokens: 1_000, prices, capabilities: { countsTokens: false } };
    return [
      { id: 'anthropic', protocol: 'anthropic', baseUrl: this.#running.url, models: [{ id: 'a', ...model }] },
      { id: 'openai', protocol: 'openai-compatible', baseUrl: `${this.#running.url}/v1`, models: [{ id: 'o', ...model }] },
    ];
  }

  get requests(): number {
    return this.#running.requests.length;
  }

  get served(): readonly Served[] {
    return this.#running.requests.map((record) => ({
      purpose: purposeOf(record.body),
      bodyHash: createHash('sha256').update(record.body).digest('hex'),
      record,
      isWhole: record.status === 200 && !this.#cut.has(record.json),
    }));
  }

  fateOf(number: number): Fate {
    return this.#fates.get(number) ?? 'answered';
  }

  plan(number: number, fate: Fate): void {
    this.#fates.set(number, fate);
    // A stopped reply waits no longer.
    this.#held.delete(number);
  }

  async isHeld(number: number): Promise<void> {
    await until(() => this.#held.has(number), `the reply to note ${String(number)} streams`);
  }

  /** Ends the wait of a held reply, if it still waits. */
  release(number: number, how: 'goOn' | 'break'): void {
    this.#held.get(number)?.(how);
    this.#held.delete(number);
  }

  stop(): Promise<void> {
    return this.#running.stop();
  }

  get #running(): CachingServer {
    assert.ok(this.#server, 'The server runs.');
    return this.#server;
  }

  #reply(request: ReceivedRequest): Reply | Failure {
    const isReply = purposeOf(request.body) === 'reply';
    const number = isReply ? lastNote(request.body) : null;
    const fate = number === null ? this.housekeeping : this.fateOf(number);
    const text = `Said in ${String(this.requests)}: ${'this and that, '.repeat(8)}end.`;
    const parts = [{ type: 'text', text }] as const;
    const serviceTier = TIERS_IN_TURN[this.requests % TIERS_IN_TURN.length] ?? null;
    const tier = serviceTier === null ? {} : { serviceTier };
    switch (fate) {
      case 'answered':
        return { ...tier, parts };
      case 'tool':
        return this.#answersResult(request)
          ? { ...tier, parts }
          : { ...tier, parts: [{ type: 'toolCall', name: 'echo', args: { text: 'ebb' } }] };
      case 'refused':
        return { status: 400, message: 'Not this one.' };
      case 'busy':
        this.#next(number, 'answered');
        return { status: 529, message: 'Busy.', headers: { 'retry-after': '0' } };
      case 'broken':
        this.#cut.add(request.json);
        return { ...tier, parts, halfWay: () => Promise.resolve('break') };
      case 'held':
        return { ...tier, parts, halfWay: () => this.#hold(number ?? 0, request) };
    }
  }

  #next(number: number | null, fate: Fate): void {
    if (number === null) {
      this.housekeeping = fate;
    } else {
      this.#fates.set(number, fate);
    }
  }

  #answersResult({ body }: ReceivedRequest): boolean {
    const at = body.lastIndexOf('note-');
    return /tool_result|"role":"tool"/.test(body.slice(at));
  }

  #hold(number: number, { json }: ReceivedRequest): Promise<'goOn' | 'break'> {
    this.#cut.add(json);
    return new Promise((resolve) => {
      this.#held.set(number, (how) => {
        if (how === 'goOn') {
          this.#cut.delete(json);
        }
        resolve(how);
      });
    });
  }
}

function purposeOf(body: string): Purpose {
  return PURPOSES.find(([, begins]) => begins.test(body))?.[0] ?? 'reply';
}
