import assert from 'node:assert/strict';
import type { AttemptState } from '../../src/engine/chat/slices/attempts.js';
import type { JsonObject } from '../../src/engine/json.js';
import { verdictOf } from '../../src/host/request/verdict/verdict.js';
import type { ApiUsage } from '../../src/protocol/api/api.js';
import type { NextRequestView } from '../../src/protocol/panel/nextRequest.js';
import type { UsageLine } from '../../src/protocol/panel/entries.js';
import { DIALECTS, says } from '../support/faults/dialects.js';
import { useHouses, type House, KEY } from '../support/faults/house.js';
import { lastAttempt } from '../support/host/reading.js';
import { chunk, chunkedHead, EVENT_STREAM, events, json } from '../support/http/answers.js';
import { exported } from '../support/host/exported.js';
import { spansIn } from '../support/host/spans.js';
import { filesIn } from '../support/host/transfer.js';
import { turn, until } from '../support/host/clocks.js';

type Tokens = Omit<UsageLine, 'forecast' | 'cost' | 'isAtLeast' | 'isCharged' | 'isPretended' | 'durationMs' | 'inherited'>;

for (const dialect of DIALECTS) {
  describe(`usage that is missing or nonsense (${dialect.protocol})`, () => {
    const houses = useHouses();
    const isAnthropic = dialect.protocol === 'anthropic';

    async function lineAfter(house: House, usage: JsonObject | null): Promise<UsageLine> {
      houses.server.play(...events(...dialect.events(says({ texts: ['Hello you'], usage }))));
      await house.send('Hello');
      const line = house.test.webview.reply?.usage ?? house.shown.entries.findLast((entry) => entry.kind === 'assistant')?.usage;
      assert.ok(line);
      return line;
    }

    function checkEstimated(line: UsageLine, ledger: ApiUsage): void {
      assert.deepEqual([line.inputEstimated, line.outputEstimated, line.cachedTokens, line.writtenTokens], [true, true, null, null]);
      assert.ok((line.inputTokens ?? 0) > 0 && (line.outputTokens ?? 0) > 0);
      // The cache's share is unknown, so the price is too.
      assert.deepEqual([line.cost, ledger.cost, ledger.unknownAttempts], [null, null, 1]);
    }

    it('10. without any: an estimate that says so, and no price', async () => {
      const house = await houses.open(dialect, {});
      checkEstimated(await lineAfter(house, null), await house.test.api.getUsage(house.session.id));
      assert.equal(lastAttempt(house.session.state).end?.rawUsage, null);
    });

    const names = isAnthropic
      ? { input: 'input_tokens', output: 'output_tokens' }
      : { input: 'prompt_tokens', output: 'completion_tokens' };
    const NONSENSE: readonly [string, JsonObject][] = [
      ['negative figures', { [names.input]: -1, [names.output]: -5 }],
      ['texts', { [names.input]: '40', [names.output]: 'many' }],
      ['fractions', { [names.input]: 40.5, [names.output]: 0.1 }],
      ['figures beyond all numbers', { [names.input]: 1e300, [names.output]: 1e300 }],
      ['null', { [names.input]: null, [names.output]: null }],
      ['lists and objects', { [names.input]: [], [names.output]: {} }],
      ['other members', { tokens: 3 }],
    ];
    for (const [what, usage] of NONSENSE) {
      it(`10. with ${what}: the same, and what the server said is kept as it came`, async () => {
        const house = await houses.open(dialect, {});
        checkEstimated(await lineAfter(house, usage), await house.test.api.getUsage(house.session.id));
        const raw = lastAttempt(house.session.state).end?.rawUsage;
        const told = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
        assert.deepEqual(isAnthropic ? { ...told, ...(raw as JsonObject) } : raw, isAnthropic ? raw : usage);
      });
    }

    const reportingTwice = (early: JsonObject, late: JsonObject): readonly string[] => {
      const [first, last] = [early, late].map((usage) => dialect.events(says({ texts: ['Hello you'], usage })));
      assert.ok(first !== undefined && last !== undefined);
      return isAnthropic ? [...first.slice(0, 1), ...last.slice(1)] : [...last.slice(0, -2), ...first.slice(-2, -1), ...last.slice(-2)];
    };

    async function sentTwice(early: JsonObject, late: JsonObject): Promise<AttemptState> {
      const house = await houses.open(dialect, {});
      houses.server.play(...events(...reportingTwice(early, late)));
      await house.send('Hello');
      return lastAttempt(house.session.state);
    }

    it('10. that shrinks while the reply comes: the last figure counts, and the record says so', async () => {
      const attempt = await sentTwice({ ...dialect.usage, [names.input]: 90 }, dialect.usage);
      assert.equal(attempt.end?.usage?.promptTokens?.value, 40);
      assert.deepEqual(attempt.end.shrunk, [{ name: names.input, earlier: 90, later: 40 }]);
      assert.ok(
        verdictOf(attempt, null, null).details.includes(
          `The provider reported 90 and then 40 for ${names.input}. Loupe uses the last value.`,
        ),
      );
    });

    it('10. that grows while the reply comes: the last figure counts, as it should', async () => {
      const { end } = await sentTwice(dialect.usage, { ...dialect.usage, [names.input]: 90 });
      assert.deepEqual([end?.usage?.promptTokens?.value, end?.shrunk], [90, undefined]);
    });

    it('10. that gets negative while the reply comes: the first figure counts, and the record says so', async () => {
      const attempt = await sentTwice(dialect.usage, { ...dialect.usage, [names.input]: -7 });
      assert.deepEqual([attempt.end?.usage?.promptTokens?.value, attempt.end?.usage?.promptTokens?.source], [40, 'reported']);
      assert.deepEqual(attempt.end?.shrunk, [{ name: names.input, earlier: 40, later: -7 }]);
      const said = `The provider reported 40 and then −7 for ${names.input}. The last value is impossible, so Loupe uses the first.`;
      assert.ok(verdictOf(attempt, null, null).details.includes(said));
    });

    it('10. with the output alone: that is reported, the input an estimate', async () => {
      const house = await houses.open(dialect, {});
      const line = await lineAfter(house, { [names.output]: 7 });
      const tokens: Partial<Tokens> = {
        inputEstimated: line.inputEstimated,
        outputEstimated: line.outputEstimated,
        outputTokens: line.outputTokens,
      };
      assert.deepEqual(tokens, { inputEstimated: true, outputEstimated: false, outputTokens: 7 });
    });

    it('10. with more read from the cache than was sent: both cache figures are unknown, never 0', async () => {
      const house = await houses.open(dialect, {});
      const usage = isAnthropic
        ? { input_tokens: 40, cache_read_input_tokens: -7, output_tokens: 5 }
        : { prompt_tokens: 40, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4_000 } };
      const line = await lineAfter(house, usage);
      assert.deepEqual([line.inputTokens, line.cachedTokens, line.writtenTokens, line.outputTokens, line.cost], [40, null, null, 5, null]);
    });

    it('the whole figures are taken as they are, and priced', async () => {
      const house = await houses.open(dialect, {});
      const { durationMs: _, forecast: _forecast, ...line } = await lineAfter(house, dialect.usage);
      const tokens: Tokens = {
        inputTokens: 40,
        cachedTokens: 0,
        writtenTokens: 0,
        outputTokens: 5,
        inputEstimated: false,
        outputEstimated: false,
      };
      assert.deepEqual(line, {
        ...tokens,
        inherited: false,
        isAtLeast: false,
        isCharged: false,
        isPretended: false,
        cost: (40 * 1 + 5 * 1_000) / 1_000_000,
      });
    });

    it('of a reply that broke off: what was reported stays, the rest is an estimate and marked', async () => {
      const open = dialect.events(says({ texts: ['Hello ', 'you'], stop: null, usage: dialect.usage }));
      houses.server.play(chunkedHead(200, EVENT_STREAM), ...open.map(chunk), { do: 'cut' });
      const house = await houses.open(dialect, {});
      await house.send('Hello');
      const line = house.shown.entries.find((entry) => entry.kind === 'assistant')?.usage;
      assert.deepEqual([line?.inputEstimated, line?.outputEstimated], [!isAnthropic, true]);
      assert.ok((line?.outputTokens ?? 0) > 0);
      const ledger = await house.test.api.getUsage(house.session.id);
      assert.deepEqual([ledger.attempts, ledger.completionTokens], [1, line?.outputTokens]);
    });
  });
}

for (const dialect of DIALECTS) {
  describe(`an export of a chat whose provider has a key (${dialect.protocol})`, () => {
    const houses = useHouses();

    it('has the key in no format, though the server quoted it', async () => {
      houses.server.play(...json(401, dialect.errorBody('authentication_error', `Incorrect API key provided: ${KEY}. Bearer ${KEY}`)));
      const house = await houses.open(dialect, {});
      await house.send('Hello');
      houses.playText(dialect, 'Welcome.');
      await house.retry();
      const { session, window } = house;
      const wasSent = houses.server.requests.some(({ request }) => JSON.stringify([...request.headers]).includes(KEY));
      assert.ok(wasSent, 'the key was in play');
      for (const format of ['markdown', 'jsonLines', 'zip', 'openTelemetry', 'openTelemetryWithTexts'] as const) {
        const { bytes, missing } = await exported(session, format, window, {});
        const files = format === 'zip' ? [...(await filesIn(bytes)).values()] : [bytes];
        assert.deepEqual(missing, []);
        const areClean = files.every((file) => file.length > 0 && !file.includes(KEY));
        assert.ok(areClean, format);
      }
    });

    it('has the server and the status of a request that failed over HTTP in its span', async () => {
      houses.server.play(...json(401, dialect.errorBody('authentication_error', 'No.')));
      const house = await houses.open(dialect, {});
      await house.send('Hello');
      houses.playText(dialect, 'Welcome.');
      await house.retry();
      const [failed, answered] = spansIn((await exported(house.session, 'openTelemetry', house.window, {})).bytes);
      const address = new URL(houses.server.url);
      for (const span of [failed, answered]) {
        assert.deepEqual(
          ['gen_ai.provider.name', 'gen_ai.request.model', 'server.address', 'server.port'].map((name) => span?.attributes[name]),
          ['house', 'large', address.hostname, Number(address.port)],
        );
      }
      assert.deepEqual(
        [failed?.attributes['error.type'], failed?.status['code'], answered?.attributes['error.type']],
        ['401', 2, undefined],
      );
    });
  });
}

/** More than the waits between a key and a count. */
const STEPS = 20;

const COUNTED = 4_321;

describe('a draft', () => {
  const houses = useHouses();
  const [anthropic] = DIALECTS;

  async function type(house: House, text: string, edit: number): Promise<void> {
    const tokens = (): number => house.shown.nextRequest?.totalTokens ?? 0;
    const before = tokens();
    await house.test.say({ type: 'draft', chatId: house.session.id, text, edit });
    await until(() => tokens() !== before, 'the draft is part of the next request');
    for (let step = 0; step < STEPS; step += 1) {
      house.clock.step();
      await turn();
    }
  }

  function allow(house: House, countsTokens: boolean): void {
    house.settings.configs = house.settings.configs.map((config) => ({ ...config, countsTokens }));
    house.providers.update();
  }

  const next = (house: House): NextRequestView => {
    const { nextRequest } = house.shown;
    assert.ok(nextRequest);
    return nextRequest;
  };

  const sent = (): string[] => houses.server.requests.map(({ request }) => `${request.path} ${request.body.toString('utf8')}`);

  it('leaves this computer only while the user lets the provider count, and the panel says which it is', async () => {
    assert.ok(anthropic);
    const house = await houses.open(anthropic, {});
    await type(house, 'my secret draft', 1);
    assert.deepEqual(sent(), []);
    assert.deepEqual(next(house).providerCount, { label: 'House AI', isOn: false, switchable: 'house' });

    houses.server.play(...json(200, { input_tokens: COUNTED }));
    allow(house, true);
    await type(house, 'my secret draft, a little longer', 2);
    await until(() => next(house).totalTokens === COUNTED, 'the count has come');
    assert.equal(sent().length, 1);
    assert.match(sent()[0] ?? '', /^\/v1\/messages\/count_tokens .*my secret draft, a little longer/);
    assert.deepEqual(
      [next(house).basis, next(house).providerCount],
      ['providerCount', { label: 'House AI', isOn: true, switchable: 'house' }],
    );

    allow(house, false);
    await type(house, 'my secret draft, again longer than it was before', 3);
    assert.deepEqual([sent().length, next(house).basis], [1, 'estimate']);
  });
});
