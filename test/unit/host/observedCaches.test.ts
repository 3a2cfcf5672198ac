import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/model/price.js';
import type { Finding } from '../../../src/engine/cacheMonitor/cacheMonitor.js';
import type { CacheRules } from '../../../src/engine/model/cacheRules.js';
import type { Model, ModelClient } from '../../../src/engine/model/model.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { fixedSource } from '../../../src/host/models/registry.js';
import { findModel, modelView } from '../../../src/host/panel/shell/modelView.js';
import { ObservedCaches } from '../../../src/host/request/forecast/observationView.js';
import { AnthropicClient } from '../../../src/providers/anthropic/anthropicClient.js';
import { OpenAiCompatibleClient } from '../../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { price } from '../../../src/protocol/numbers.js';
import type { ObservationView } from '../../../src/protocol/forecast.js';
import type { ComputedUsage } from '../../support/cachingServer/options.js';
import { startCachingServer, type CachingServer } from '../../support/cachingServer/cachingServer.js';
import type { Ttl } from '../../support/cachingServer/prompt.js';
import { column } from '../../support/columns.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';
import { RunningClock } from '../../support/host/clocks.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';
import { endpoint } from '../../wire/anthropicPeer.js';

const MINUTE = 60_000;
const KEY = 'the-key';
const NOON = Date.UTC(2026, 10, 26, 12);
const SERVED = { id: 'house', label: 'House', countsTokens: false, loadClient: () => Promise.reject(new Error('It is not asked.')) };

function text(words: number, from: number): string {
  return Array.from({ length: words }, (_, at) => `word${String((at * 7 + from) % 97)}`).join(' ');
}

describe('what caches did', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let server: CachingServer;
  let window: Window;
  let session: ChatSession;
  let model: Model;
  let truth: {
    id: string;
    minimumTokens: number;
    lifetimes: { '5m': number; '1h': number };
    given: { '5m': Ttl; '1h': Ttl };
    charge?: (usage: ComputedUsage) => number;
  };
  let sent = 0;
  /** The longest time between the starts of two requests. */
  let longest = 0;
  let latest: number | null = null;

  beforeEach(async () => {
    clock = new RunningClock();
    clock.time = NOON;
    sent = 0;
    longest = 0;
    latest = null;
    truth = { id: 'practice', minimumTokens: 256, lifetimes: { '5m': 5 * MINUTE, '1h': 60 * MINUTE }, given: { '5m': '5m', '1h': '1h' } };
    server = await startCachingServer({ key: KEY, now: () => clock.time, models: [truth] });
  });

  afterEach(() => server.stop());

  const open = async (protocol: 'anthropic' | 'openai-compatible', cache: CacheRules): Promise<void> => {
    const capabilities = { ...OPEN_MODEL.capabilities, counterIsExact: false, cache };
    model = { ...OPEN_MODEL, ref: { provider: 'house', model: 'practice' }, label: 'Practice', protocol, capabilities };
    const isAnthropic = protocol === 'anthropic';
    const at = endpoint(isAnthropic ? server.url : `${server.url}/v1`, { keyHeader: isAnthropic ? 'x-api-key' : 'authorization' });
    const loadClient = (): Promise<ModelClient> => Promise.resolve(isAnthropic ? new AnthropicClient(at) : new OpenAiCompatibleClient(at));
    const source = fixedSource([{ ...SERVED, models: [model], loadClient }]);
    window = windows.open({ clock, files: new MemoryFiles(), sources: [source], config: { model: model.ref, systemPrompt: text(400, 3) } });
    session = await window.chats.create();
  };

  /** Pauses are between half of `pause` and all of it. */
  const send = async (times: number, pause: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      clock.time += pause * (1 - (time % 4) / 6);
      sent += 1;
      longest = Math.max(longest, latest === null ? 0 : clock.time - latest);
      latest = clock.time;
      await session.conversation.send(text(120, sent));
    }
  };

  const shown = (): ObservationView | null => {
    const { chats, models } = window;
    return new ObservedCaches({ chats, caches: chats.learned.caches, models, clock, localTime: (at) => at }).of(model.ref);
  };

  const observed = async (): Promise<ObservationView | null> => {
    await session.next.preview({ text: 'And then?', editing: null });
    return shown();
  };

  const expiresIn = async (): Promise<number | null> => {
    const { forecast } = await session.next.preview({ text: 'And then?', editing: null });
    const last = [...session.state.attempts.values()].at(-1)?.startedAt ?? 0;
    return forecast?.expiresAt === null || forecast === null ? null : forecast.expiresAt - last;
  };

  it('are told quietly where they live as asked', async () => {
    await open('anthropic', markedCache({ minimumTokens: 256 }));
    assert.equal(await observed(), null);
    await send(4, 2 * MINUTE);
    await send(2, 7 * MINUTE);
    const view = await observed();
    const text = 'The cache of Practice works as promised (checked 2 times).';
    assert.deepEqual(view, { text, isAlarm: false, isOfPrices: false, proofs: [] });
    assert.equal(await expiresIn(), 5 * MINUTE);
  });

  it('are told with the requested lifetime where no request came within it', async () => {
    await open('anthropic', markedCache({ minimumTokens: 256 }));
    await send(2, 9 * MINUTE);
    // The clock also moves while the server answers.
    assert.match((await observed())?.text ?? '', /^Cached content of Practice was lost after 7 min( \d+ s)?\. 5 min was requested\.$/u);
  });

  it('are not said to work as promised while another lifetime lost content early', async () => {
    await open('anthropic', markedCache({ minimumTokens: 256 }));
    const usual = { read: 40, lived: 4 * MINUTE, gone: null, inTime: 40, early: [], isLatestEarly: false, smallestRead: 900, all: 40 };
    const minutes = { ...usual, asked: '5m', expected: 5 * MINUTE, lifetime: 5 * MINUTE } as const;
    const early = [
      { at: NOON, chatId: 'c', attemptId: 'a', gap: 9 * MINUTE, lost: 0, billed: { read: 0, written5m: 0, written1h: 0, fresh: 0 } },
    ] as unknown as Finding['early'];
    const hour = {
      ...minutes,
      asked: '1h',
      expected: 60 * MINUTE,
      lifetime: 60 * MINUTE,
      gone: 9 * MINUTE,
      early,
      all: 2,
      inTime: 2,
    } as const;
    const observations = { findings: [minutes, hour], otherLifetimes: [], refused: [] };
    const caches = { observations: () => observations, charges: () => null };
    const { chats, models } = window;
    const view = new ObservedCaches({ chats, caches, models, clock, localTime: (at) => at }).of(model.ref);
    assert.equal(view?.text, '1 of 2 breakpoints expired too early, after 9 min, although 1 h was requested.');
  });

  it('correct the forecast where they live shorter than asked', async () => {
    truth.lifetimes['5m'] = MINUTE;
    await open('anthropic', markedCache({ minimumTokens: 256 }));
    await send(4, 50_000);
    // No pause reaches the lifetime. The clock also moves while the server answers.
    await send(10, 110_000);
    assert.match(
      (await observed())?.text ?? '',
      /^7 of 11 breakpoints expired too early, the last one after 1 min 3\d s, although 5 min was requested: \$0\.\d+ more today\. Forecasts use 1 min [123]\d s\.$/u,
    );
    const expected = (await expiresIn()) ?? 0;
    assert.ok(expected > MINUTE && expected < 100_000, String(expected));
  });

  it('raise an alarm with the latest early loss, with what it cost today and the requests that prove it', async () => {
    await open('anthropic', markedCache({ minimumTokens: 256 }));
    await send(14, 4 * MINUTE);
    truth.lifetimes['5m'] = MINUTE;
    // The first one reads an entry that was written for five minutes.
    await send(12, 4 * MINUTE);
    const view = await observed();
    assert.match(
      view?.text ?? '',
      /^11 of 23 breakpoints expired too early, the last one after 2 min( \d s)?, although 5 min was requested: \$0\.\d+ more today\. Forecasts use 2 min( \d s)?\.$/u,
    );
    assert.equal(view?.isAlarm, true);
    const latest = [...session.state.attempts.values()].slice(-11).toReversed();
    const expected = latest.map(({ id }) => ({ chatId: session.id, attemptId: id }));
    assert.deepEqual(view.proofs, expected);
    truth.lifetimes['5m'] = 5 * MINUTE;
    // Less than the minute that the last entry lives: the clock also moves while the server answers.
    await send(2, 50_000);
    const back = await observed();
    assert.match(
      back?.text ?? '',
      /^11 of 25 breakpoints expired too early, the last one after 2 min( \d s)?, although 5 min was requested: \$0\.\d+ more today\. Forecasts use 2 min( \d s)?\.$/u,
    );
    assert.equal(back?.isAlarm, false);
  });

  it('raise an alarm where breakpoints are not taken, and the forecast expects nothing', async () => {
    truth.minimumTokens = 100_000;
    await open('anthropic', markedCache({ minimumTokens: 256 }));
    await send(2, MINUTE);
    const view = await observed();
    const text = 'The last 2 requests read nothing from the cache of Practice and wrote nothing to it, although they have breakpoints.';
    assert.deepEqual([view?.text, view?.isAlarm, view?.proofs.length], [text, true, 2]);
    const { forecast } = await session.next.preview({ text: 'And then?', editing: null });
    assert.deepEqual([forecast?.parts.read, forecast?.parts.written], [0, 0]);
    await window.chats.delete(session.id);
    assert.deepEqual([shown()?.text, shown()?.proofs], [text, []], 'no link to a request that the window cannot show');
  });

  const RATES = OPEN_MODEL.prices ?? assert.fail();

  /** The extra cost compared with the requested lifetime, from the server's figures. */
  const moreThanAsked = (from: number): number => {
    const rates = { read: RATES.cacheRead, '5m': RATES.cacheWrite5m, '1h': RATES.cacheWrite1h };
    // Without expiry, all but the first request would have written only their new part.
    return server.requests.slice(from).reduce((sum, { usage }, at, all) => {
      const { read, written5m, written1h } = usage ?? assert.fail();
      const before = (at === 0 ? server.requests[from - 1] : all[at - 1])?.usage ?? assert.fail();
      const whole = before.read + before.written5m + before.written1h;
      const asAsked = whole * rates.read + (read + written5m + written1h - whole) * rates['1h'];
      return sum + (read * rates.read + written5m * rates['5m'] + written1h * rates['1h'] - asAsked) / 1_000_000;
    }, 0);
  };

  it('raise an alarm with the first request that was written for another lifetime than was asked, by its own figures', async () => {
    await open('anthropic', markedCache({ minimumTokens: 256, lifetimes: ['1h'] }));
    await send(4, 10 * MINUTE);
    assert.equal(await expiresIn(), 60 * MINUTE);
    truth.given['1h'] = '5m';
    await send(1, 2 * MINUTE);
    assert.equal((await observed())?.isAlarm, true);
    assert.equal(await expiresIn(), 5 * MINUTE);
    await send(4, 12 * MINUTE);
    const view = (await observed()) ?? assert.fail();
    const [, , , , first, ...rest] = [...session.state.attempts.values()];
    const more = moreThanAsked(4);
    const since = new Date(first?.startedAt ?? 0).toISOString().slice(11, 16);
    assert.equal(view.text, `Since ${since} the provider caches a 1h breakpoint for 5m: ${price(more)} more today.`);
    assert.ok(more > 0.001);
    assert.deepEqual(
      [view.isAlarm, view.proofs],
      [true, [...rest.toReversed(), first].map((each) => ({ chatId: session.id, attemptId: each?.id }))],
    );
    truth.given['1h'] = '1h';
    await send(2, MINUTE);
    assert.equal((await observed())?.isAlarm, false);
    assert.equal(await expiresIn(), 60 * MINUTE);
  });

  it('say that another lifetime was always served than is asked, and what that costs more', async () => {
    truth.given['5m'] = '1h';
    await open('anthropic', markedCache({ minimumTokens: 256, lifetimes: ['5m'] }));
    await send(3, MINUTE);
    const written = server.requests.reduce((sum, { usage }) => sum + (usage?.written1h ?? 0), 0);
    const more = (written * (RATES.cacheWrite1h - RATES.cacheWrite5m)) / 1_000_000;
    const since = new Date([...session.state.attempts.values()][0]?.startedAt ?? 0).toISOString().slice(11, 16);
    assert.equal((await observed())?.text, `Since ${since} the provider caches a 5m breakpoint for 1h: ${price(more)} more today.`);
    assert.equal(await expiresIn(), 60 * MINUTE);
  });

  it('are beside what is really charged: in the line of the model, and as an alarm when that changes', async () => {
    /** A share of the prices, rounded to a millionth of a dollar. */
    const charging = (share: number) => (usage: ComputedUsage) => {
      const { read, fresh, output } = usage;
      return Math.round(share * (read * RATES.cacheRead + fresh * RATES.input + output * RATES.output)) / 1_000_000;
    };
    const prices = (): string => {
      const { learned } = window.chats;
      const found = findModel(model.ref, [{ ...SERVED, models: [model] }]);
      return modelView(found, learned).detail;
    };
    truth.charge = charging(0.9);
    await open('openai-compatible', { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 600 });
    await send(4, MINUTE);
    await observed();
    assert.doesNotMatch(prices(), /charged/);
    await send(8, MINUTE);
    assert.notEqual((await observed())?.isAlarm, true);
    assert.match(prices(), / · provider charges 10% less than these prices \(12 requests\) · /u);

    truth.charge = charging(1.08);
    await send(2, MINUTE);
    assert.notEqual((await observed())?.isAlarm, true);
    await send(1, MINUTE);
    const view = (await observed()) ?? assert.fail();
    const attempts = [...session.state.attempts.values()].slice(-3);
    const more = attempts.reduce((sum, { end }) => {
      const usage = end?.usage ?? assert.fail();
      return sum + (usage.charged ?? 0) - 0.9 * (costOf(usage, RATES)?.usd ?? assert.fail());
    }, 0);
    const since = new Date(attempts[0]?.startedAt ?? 0).toISOString().slice(11, 16);
    // The earlier share comes from sums of rounded reports.
    const [, told, dollars] =
      /^Since (\d\d:\d\d) Practice charges 20% more than before: \$(0\.\d+) more today\.$/u.exec(view.text) ?? assert.fail(view.text);
    assert.equal(told, since);
    assert.ok(Math.abs(Number(dollars) - more) < 0.0003, `${String(dollars)} and ${String(more)}`);
    assert.deepEqual([view.isAlarm, view.isOfPrices, column(view.proofs, 'attemptId')], [true, true, column(attempts.toReversed(), 'id')]);
    assert.match(prices(), / · provider charges 8% more than these prices \(3 requests\) · /u);

    // The user has configured the real charge: no difference is left.
    const raised = Object.fromEntries(Object.entries(RATES).map(([name, rate]) => [name, rate * 1.08])) as unknown as typeof RATES;
    model = { ...model, prices: raised };
    assert.match(prices(), / · provider charges these prices \(3 requests\) · /u);
  });

  it('become a forecast where no rules are known, once a prefix was read', async () => {
    await open('openai-compatible', { kind: 'unknown' });
    await send(1, MINUTE);
    assert.equal((await session.next.preview({ text: 'And then?', editing: null })).forecast, null);
    await send(14, 2 * MINUTE);
    const { forecast } = await session.next.preview({ text: 'And then?', editing: null });
    assert.ok(forecast !== null && forecast.parts.read > 1_000);
    // A reply takes some time of the clock, and more on a busy computer.
    const seconds = Math.round(longest / 1_000) % 60;
    const lived = seconds === 0 ? '2 min' : `2 min ${seconds} s`;
    assert.match(
      (await observed())?.text ?? '',
      new RegExp(`^Cached content of Practice was still read after ${lived}\\. \\d+ of 14 prefixes were read again\\.$`, 'u'),
    );
  });
});
