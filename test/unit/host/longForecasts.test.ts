import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/model/price.js';
import { figureValue, inputTokens } from '../../../src/engine/model/usage.js';
import type { AutomaticCache, CacheRules } from '../../../src/engine/model/cacheRules.js';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import type { Cause } from '../../../src/engine/diagnosis/cause.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { Diagnoses } from '../../../src/engine/diagnosis/diagnoses.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock } from '../../support/host/clocks.js';
import { EchoTool, lastUser, messages } from '../../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const MINUTE = 60_000;
const AUTOMATIC: AutomaticCache = { kind: 'automatic', minimumTokens: HOUSE_MINIMUM, stepTokens: 128, lifetimeSeconds: 600 };
/** The largest error of a forecast as a share of the whole input. For costs: as a share of their sum. */
const TOLERANCE = 0.02;
/** The first requests have no counts for a correction. */
const UNCORRECTED = 1;

const REQUESTS = 60;

/** A chat with many kinds of changes. Each step lists the losses that it can cause. */
class LongChat {
  readonly session: ChatSession;
  readonly causes = new Map<string, readonly Cause['kind'][]>();
  readonly #house: CachingHouse;
  readonly #clock: RunningClock;
  readonly #files: MemoryFiles;

  constructor(session: ChatSession, { house, clock, files }: { house: CachingHouse; clock: RunningClock; files: MemoryFiles }) {
    this.session = session;
    this.#house = house;
    this.#clock = clock;
    this.#files = files;
  }

  get attempts(): readonly AttemptState[] {
    return [...this.session.state.attempts.values()];
  }

  /** One step. `causes` are the possible losses of its first request. */
  async step(number: number): Promise<void> {
    const sent = this.attempts.length;
    const causes = await this.#do(number);
    const first = this.attempts.slice(sent).find(({ purpose }) => purpose === 'reply');
    if (first !== undefined) {
      this.causes.set(first.id, causes);
    }
  }

  async #do(number: number): Promise<readonly Cause['kind'][]> {
    const { session } = this;
    const isLate = number % 13 === 0;
    this.#clock.time += isLate ? 70 * MINUTE : number % 5 === 0 ? 6 * MINUTE : 40_000;
    const text = words(60 + ((number * 37) % 200), number);
    const expired = isLate || number % 5 === 0 ? ['expired' as const] : [];
    if (number % 7 === 0) {
      const users = messages(session.state).filter(({ role }) => role === 'user');
      await session.conversation.edit(users.at(-2)?.id ?? '', text);
      return ['edited', ...expired];
    }
    if (number % 9 === 0) {
      await session.conversation.retry(lastUser(session.state).id);
      return ['edited', ...expired];
    }
    const more = await this.#change(number);
    await session.conversation.send(text);
    return [...more, ...expired];
  }

  async #change(number: number): Promise<readonly Cause['kind'][]> {
    const { session } = this;
    if (number % 4 === 0) {
      const call = { type: 'toolCall', name: 'echo', args: { number } } as const;
      this.#house.replies.push({ parts: [call] }, { parts: [call] }, { parts: [{ type: 'text', text: words(80, number) }] });
    }
    if (number === 16 || number === 31) {
      await session.changeConfig({ systemPrompt: words(400, number) });
      return ['systemPrompt'];
    }
    // It changes at its start. With an automatic cache, the forecast counts a changed block as new from its start on.
    if (number % 6 === 2) {
      this.#files.texts.set('src/a.ts', `${words(40, number)}\n${words(300, 1)}`);
    }
    if (number === 23) {
      this.#house.replies.push({ parts: [{ type: 'text', text: words(90, 5) }] });
      await session.compactor.summarize(null);
      return ['compacted'];
    }
    return [];
  }
}

describe('the forecasts of a chat of 60 requests', () => {
  const windows = useWindows();
  let house: CachingHouse;
  let window: Window;

  afterEach(() => house.server.stop());

  const longChat = async (protocol: 'anthropic' | 'openai-compatible', cache: CacheRules): Promise<LongChat> => {
    const [clock, files] = [new RunningClock(), new MemoryFiles()];
    files.texts.set('src/a.ts', words(300, 1));
    house = await cachingHouse({ protocol, cache, clock, minimumTokens: HOUSE_MINIMUM });
    const config = { model: house.practice, systemPrompt: words(400, 3), compaction: 'off' } as const;
    window = windows.open({ clock, files, sources: [house.source], tools: new EchoTool(), config });
    const session = await window.chats.create();
    await session.context.add({ type: 'file', name: 'src/a.ts', includeMode: 'manual', addedHash: null, given: null });
    const chat = new LongChat(session, { house, clock, files });
    await session.conversation.send(words(900, 1));
    await session.conversation.send(words(100, 1));
    for (let number = 1; chat.attempts.length < REQUESTS; number += 1) {
      await chat.step(number);
    }
    return chat;
  };

  // Reads of an automatic cache end at its steps, also inside a block: near one, a single step can be missed.
  for (const [protocol, cache, step] of [
    ['anthropic', markedCache({ minimumTokens: HOUSE_MINIMUM }), 0],
    ['openai-compatible', AUTOMATIC, AUTOMATIC.stepTokens],
  ] as const) {
    it(`are within 2 % of what the server of the ${protocol} protocol reports`, async () => {
      const { attempts } = await longChat(protocol, cache);
      let [expected, billed, hits] = [0, 0, 0];
      const off: string[] = [];
      for (const [at, attempt] of attempts.entries()) {
        const { forecast, cost, tokens, input } = forecastOf(attempt);
        hits += Number((attempt.manifest.forecast?.read ?? 0) > 0);
        if (at >= UNCORRECTED) {
          [expected, billed] = [expected + forecast, billed + cost];
          const words = `request ${String(at)} was off by ${String(tokens)} of ${String(input)}`;
          assert.ok(tokens <= input * TOLERANCE + step, words);
          off.push(...(tokens > input * TOLERANCE ? [words] : []));
        }
      }
      assert.ok(off.length <= (step === 0 ? 0 : attempts.length / 20), off.join(', '));
      assert.ok(hits >= attempts.length / 2, 'most of them read the cache');
      assert.ok(Math.abs(expected - billed) <= billed * TOLERANCE, `${String(expected)} was ${String(billed)}`);
    });

    it(`have a diagnosis for each loss with the ${protocol} protocol`, async () => {
      const chat = await longChat(protocol, cache);
      const diagnoses = new Diagnoses(() => window.models.list());
      const told = chat.attempts.map((attempt) => ({ attempt, diagnosis: diagnoses.of(chat.session.state, attempt)?.diagnosis }));
      const found = new Set<string>();
      for (const [at, { attempt, diagnosis }] of told.entries()) {
        const cause = diagnosis?.cause.kind ?? 'damaged';
        if ((diagnosis?.again ?? 0) > 0) {
          found.add(cause);
          const isKnown = (chat.causes.get(attempt.id) ?? []).some((each) => each === cause);
          assert.ok(isKnown, `request ${String(at)} is no ${cause}`);
        }
      }
      for (const cause of ['expired', 'systemPrompt', 'compacted']) {
        assert.ok(found.has(cause), `${cause} is among ${[...found].join(', ')}`);
      }
    });
  }
});

/** The forecast and the billed cost of the input in US dollars, and the largest error of its parts in tokens. */
function forecastOf({ manifest: { forecast }, end }: AttemptState): {
  readonly forecast: number;
  readonly cost: number;
  readonly tokens: number;
  readonly input: number;
} {
  const usage = end?.usage ?? assert.fail('The server reports its usage.');
  assert.ok(forecast !== undefined && forecast.cost !== null);
  const parts = [
    [forecast.read, usage.cacheReadInputTokens],
    [forecast.written, usage.cacheCreationInputTokens],
    [forecast.fresh, usage.promptTokens],
  ] as const;
  const cost = costOf({ ...usage, completionTokens: { value: 0, source: 'reported' } }, OPEN_MODEL.prices)?.usd;
  return {
    forecast: forecast.cost,
    cost: cost ?? assert.fail('The model has prices.'),
    tokens: Math.max(...parts.map(([expected, reported]) => Math.abs(expected - (figureValue(reported) ?? 0)))),
    input: inputTokens(usage) ?? assert.fail('The server reports its usage.'),
  };
}
