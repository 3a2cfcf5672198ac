import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/model/price.js';
import { figureValue, inputTokens, type Usage } from '../../../src/engine/model/usage.js';
import type { CacheRules } from '../../../src/engine/model/cacheRules.js';
import type { Forecast } from '../../../src/engine/cache/forecast.js';
import { apiPreview } from '../../../src/host/api/apiRequests.js';
import { verdictOf } from '../../../src/host/request/verdict/verdict.js';
import { tokens } from '../../../src/protocol/numbers.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';
import { cachingHouse, HOUSE_MINIMUM, words, type CachingHouse } from '../../support/host/cachingHouse.js';
import { RunningClock, until } from '../../support/host/clocks.js';
import { panelOf } from '../../support/host/panel.js';
import { lastAttempt } from '../../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

const MINUTE = 60_000;

interface Told {
  readonly forecast: Forecast;
  readonly usage: Usage;
}

/** The largest error of a forecast as a share of the whole input. For costs: as a share of their sum. */
const TOLERANCE = 0.02;

describe('the forecast of a request', () => {
  const windows = useWindows();
  let clock: RunningClock;
  let house: CachingHouse;
  let window: Window;
  let session: ChatSession;

  beforeEach(() => {
    clock = new RunningClock();
  });

  afterEach(() => house.server.stop());

  const openChat = async (protocol: 'anthropic' | 'openai-compatible', cache: CacheRules, minimumTokens: number): Promise<void> => {
    house = await cachingHouse({ protocol, cache, clock, minimumTokens });
    const config = { model: house.practice, systemPrompt: words(400, 3) };
    window = windows.open({ clock, files: new MemoryFiles(), sources: [house.source], config });
    session = await window.chats.create();
  };

  /** Sends a message after a pause. Returns its forecast and the server's report. */
  const send = async (message: string, pauseMs: number): Promise<Told> => {
    clock.time += pauseMs;
    const { forecast } = await session.next.preview({ text: message, editing: null });
    await session.conversation.send(message);
    const usage = lastAttempt(session.state).end?.usage;
    assert.ok(forecast !== null && usage !== null && usage !== undefined);
    return { forecast, usage };
  };

  /** Checks the tokens of a forecast. Returns the forecast and the billed cost of the input in US dollars. */
  const near = ({ forecast, usage }: Told, which: string): readonly [number, number] => {
    const { parts, costNow } = forecast;
    const input = inputTokens(usage) ?? assert.fail('The server reports its usage.');
    const words = `${which}: ${JSON.stringify(parts)} was ${JSON.stringify(usage)}`;
    for (const [expected, reported] of [
      [parts.read, usage.cacheReadInputTokens],
      [parts.written, usage.cacheCreationInputTokens],
      [parts.fresh, usage.promptTokens],
    ] as const) {
      assert.ok(Math.abs(expected - (figureValue(reported) ?? 0)) <= input * TOLERANCE, words);
    }
    const cost = costOf({ ...usage, completionTokens: { value: 0, source: 'reported' } }, OPEN_MODEL.prices)?.usd;
    return [costNow ?? assert.fail('The model has prices.'), cost ?? assert.fail('The model has prices.')];
  };

  it('tells when what it reads is gone, and what the request costs then', async () => {
    await openChat('anthropic', markedCache({}), 1_024);
    await send(words(1_500, 1), 0);
    const sentAt = lastAttempt(session.state).startedAt;
    const { forecast } = await session.next.preview({ text: 'And then?', editing: null });
    assert.ok(forecast !== null && forecast.parts.read > 0);
    assert.equal(forecast.expiresAt, sentAt + 5 * MINUTE);
    assert.ok((forecast.costAfter ?? 0) > (forecast.costNow ?? 0) * 3);
    const later = await send('And then?', 6 * MINUTE);
    assert.equal(later.forecast.parts.read, 0);
    assert.equal(later.forecast.expiresAt, null);
    near(later, 'the request after that');
  });

  it('expects what another chat with the same system prompt has brought into the cache', async () => {
    await openChat('anthropic', markedCache({ minimumTokens: HOUSE_MINIMUM }), HOUSE_MINIMUM);
    await send('Hello', 0);
    await session.next.preview({ text: '', editing: null });
    session = await window.chats.create();
    const told = await send('Another matter.', 1_000);
    near(told, 'the first request of the second chat');
    assert.ok(told.forecast.parts.read > 300);
  });

  it('adds up to the tokens that the panel shows, also where the provider counts otherwise', async () => {
    await openChat('anthropic', markedCache({ minimumTokens: HOUSE_MINIMUM }), HOUSE_MINIMUM);
    const { webview } = await panelOf(window, session.id);
    await send(words(600, 1), 0);
    const composed = await session.next.preview({ text: '', editing: null });
    const { read, written, fresh } = composed.forecast?.parts ?? assert.fail('The cache of this provider is known.');
    assert.notEqual(composed.size.tokens, read + written + fresh, 'the estimate differs');
    assert.equal(apiPreview(composed).totalTokens, read + written + fresh);
    await until(() => webview.state.nextRequest?.totalTokens === read + written + fresh, 'the sum in the panel');
  });

  it('expects nothing of a provider that caches nothing, whatever is said of it', async () => {
    await openChat('anthropic', markedCache({}), 1_000_000);
    await send(words(1_500, 1), 0);
    const { forecast, usage } = await send('And then?', 1_000);
    assert.equal(figureValue(usage.cacheReadInputTokens), 0);
    assert.equal(forecast.parts.read, 0);
  });

  it('says of a provider that counts otherwise what both counted, and is corrected by it from the next request on', async () => {
    await openChat('anthropic', markedCache({ minimumTokens: HOUSE_MINIMUM }), HOUSE_MINIMUM);
    const first = await send(words(600, 1), 0);
    const attempt = lastAttempt(session.state);
    const { size } = attempt.manifest;
    const reported = inputTokens(first.usage) ?? assert.fail();
    assert.ok(Math.abs(size.tokens / reported - 1) > 0.1, `${String(size.tokens)} and ${String(reported)}`);
    const both = `Loupe counted ${tokens(size.tokens)} tokens, the provider reported ${tokens(reported)}. Loupe corrects later counts.`;
    assert.ok(verdictOf(attempt, null, null).details.includes(both), verdictOf(attempt, null, null).details);
    const second = await send(words(300, 7), 1_000);
    near(second, 'the request after that');
    const { details } = verdictOf(lastAttempt(session.state), null, null);
    assert.match(details, /Loupe corrected its count by [+−]\d/u);
    assert.doesNotMatch(details, /Loupe counted/);
  });
});
