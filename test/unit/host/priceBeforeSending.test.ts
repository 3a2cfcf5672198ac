import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/model/price.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { nextRequestView, type RequestOfChat } from '../../../src/host/panel/nextRequest/nextRequestView.js';
import { nextRequestRows } from '../../../src/host/panel/nextRequest/contextUsed.js';
import type { Model } from '../../../src/engine/model/model.js';
import type { ReplyPrice } from '../../../src/protocol/panel/nextRequest.js';
import { replyPrice, unusualPrice } from '../../../src/engine/accounting/usualCosts.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { EchoTool, lastAttempt } from '../../support/host/reading.js';
import { inputPrices } from '../../../webview/chat/rows/prices.js';
import { useWindows, type Window } from '../../support/host/window.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { attemptEnded, attemptStarted, logged, runStarted, stateOf } from '../../support/engine/events.js';
import { user } from '../../support/engine/messages.js';
import type { TurnBand } from '../../../src/engine/accounting/turnBand.js';
import { openPanel } from '../../support/host/panel.js';

/** Long enough for the cache. */
const LONG = 'The tide comes in. '.repeat(400);

async function previewed(session: ChatSession, text: string): Promise<RequestOfChat> {
  const composed = await session.next.preview({ text, editing: null });
  return nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
}

function billedInput(session: ChatSession): number {
  const usage = lastAttempt(session.state).end?.usage;
  assert.ok(usage);
  const cost = costOf({ ...usage, completionTokens: { value: 0, source: 'reported' } }, PRACTICE_STANDARD.prices);
  assert.ok(cost);
  return cost.usd;
}

/** Rounded, because the order of additions differs. */
function rounded(reply: ReplyPrice | null): string[] | undefined {
  return reply === null ? undefined : [reply.low, reply.median, reply.high].map((dollars) => dollars.toFixed(9));
}

describe('What replies of a chat cost', () => {
  it('is unknown before the first, and that of the only one', () => {
    assert.equal(replyPrice([]), null);
    assert.deepEqual(replyPrice([0.3]), { low: 0.3, median: 0.3, high: 0.3, replies: 1 });
  });

  it('is between the cheapest and the dearest of a few, and of more in the middle half, which one odd reply does not move', () => {
    assert.deepEqual(replyPrice([3, 1]), { low: 1, median: 3, high: 3, replies: 2 });
    assert.deepEqual(replyPrice([9, 1, 4]), { low: 1, median: 4, high: 9, replies: 3 });
    assert.deepEqual(replyPrice([5, 1, 2, 900, 4]), { low: 2, median: 4, high: 5, replies: 5 });
    assert.deepEqual(replyPrice([5, 1, 2, 90_000, 4]), replyPrice([5, 1, 2, 900, 4]));
  });
});

describe('The price before sending', () => {
  const windows = useWindows();

  for (const [cacheMode, systemPrompt] of [
    ['cached', LONG],
    ['cached', 'Be brief.'],
    ['system', LONG],
    ['all-off', LONG],
  ] as const) {
    it(`is what the input is billed: cache mode ${cacheMode}, ${String(systemPrompt.length)} characters of system prompt`, async () => {
      const { session } = await windows.openChat({ config: { cacheMode, systemPrompt } });
      const { inputCost } = await previewed(session, 'Hello');
      await session.conversation.send('Hello');
      const billed = billedInput(session);
      assert.ok(inputCost !== null && Math.abs(inputCost - billed) <= billed * 0.01, `${String(inputCost)} was ${String(billed)}`);
    });
  }

  it('is the same after a failed attempt, which was no turn', async () => {
    const session = await windows.open({ config: { systemPrompt: LONG } }).chats.create();
    const before = await previewed(session, 'Hello');
    await session.conversation.send('/error 401');
    const after = await previewed(session, 'Hello');
    assert.deepEqual([after.inputCost, after.forecast?.longWriteCost], [before.inputCost, 0]);
    assert.deepEqual([before.uncached, after.uncached], [{ reason: { kind: 'new', isNewChat: true }, way: null }, before.uncached]);
    await session.conversation.send('Hello');
    const again = await previewed(session, 'Hello');
    await session.conversation.send('/error 401');
    const later = await previewed(session, 'Hello');
    assert.deepEqual([later.inputCost, later.forecast?.longWriteCost], [again.inputCost, again.forecast?.longWriteCost]);
    assert.deepEqual([again.uncached, later.uncached], [null, null]);
  });

  it('is that of the lifetime that the chat has set, and says what the longer one costs', async () => {
    const { session } = await windows.openChat({ config: { systemPrompt: LONG } });
    const priceOf = async (cacheLifetime: 'automatic' | '5m' | '1h'): Promise<readonly (number | null | undefined)[]> => {
      await session.changeConfig({ cacheLifetime });
      const { inputCost, forecast } = await previewed(session, 'Hello');
      return [inputCost, forecast?.longWriteCost];
    };
    const [short, none] = await priceOf('5m');
    const [long, more] = await priceOf('1h');
    assert.equal(none, 0);
    assert.ok(typeof short === 'number' && typeof long === 'number' && typeof more === 'number' && more > 0);
    assert.equal((long - short).toFixed(9), more.toFixed(9));
    await session.conversation.send('Hello');
    assert.equal(billedInput(session) > short, true);
    assert.ok(lastAttempt(session.state).manifest.marks.every(({ ttl }) => ttl === '1h'));
  });

  it('tells what the latest replies of this chat would cost', async () => {
    const session = await windows.open({}).chats.create();
    assert.equal((await previewed(session, 'Hello')).reply, null);
    for (const words of [40, 5, 400, 80]) {
      await session.conversation.send(`/long ${String(words)}`);
    }
    const costs = [...session.state.attempts.values()].map(({ end }) => (end?.usage?.completionTokens?.value ?? 0) * 15e-6);
    const { reply } = await previewed(session, 'Hello');
    assert.deepEqual(rounded(reply), rounded(replyPrice(costs)));
  });

  it('counts all that a message made the model write as one reply, also around its tools', async () => {
    const { session } = await windows.openChat({ tools: new EchoTool() }, '/tool echo {"a": 1}\n/tool echo {"b": 2}\n/long 30');
    const lengths = [...session.state.attempts.values()].map(({ end }) => end?.usage?.completionTokens?.value ?? 0);
    assert.ok(lengths.length > 1);
    const { reply } = await previewed(session, 'Hello');
    assert.equal(rounded(reply)?.[1], (lengths.reduce((sum, length) => sum + length, 0) * 15e-6).toFixed(9));
  });

  it('is that of a request which the cache serves, and the rows of the request add up to it', async () => {
    const { session } = await windows.openChat({ config: { cacheMode: 'cached', systemPrompt: LONG } }, 'Hello');
    const composed = await session.next.preview({ text: 'And again', editing: null });
    const { blocks } = nextRequestRows(composed);
    const view = nextRequestView(composed, blocks, session.state);
    const { inputCost, forecast } = view;
    await session.conversation.send('And again');
    const billed = billedInput(session);
    assert.ok(inputCost !== null && Math.abs(inputCost - billed) <= billed * 0.02, `${String(inputCost)} was ${String(billed)}`);
    assert.ok(forecast !== null && forecast.parts.read > 1_000);
    assert.ok((forecast.costAfter ?? 0) > inputCost * 5);
    const prices = inputPrices(view) ?? assert.fail('The model has prices.');
    const ofRows = blocks.reduce((sum, { tokens, cache }) => sum + prices(tokens, cache), 0);
    const framing = view.shares.find(({ category }) => category === 'framing')?.tokens ?? 0;
    assert.ok(Math.abs(ofRows + prices(framing, null) - inputCost) <= inputCost * 0.05);
  });

  it('is the same with and without the cache where the chat does not use it', async () => {
    const { session } = await windows.openChat({ config: { cacheMode: 'all-off', systemPrompt: LONG } }, 'Hello');
    const { forecast, inputCost } = await previewed(session, 'And again');
    assert.deepEqual([forecast?.parts.read, forecast?.parts.written, forecast?.expiresAt], [0, 0, null]);
    assert.equal(forecast?.costAfter, inputCost);
  });

  it('is the most that the input may cost where nobody knows how the provider caches, once it has cached', async () => {
    const unknown: Model = { ...PRACTICE_STANDARD, capabilities: { ...PRACTICE_STANDARD.capabilities, cache: { kind: 'unknown' } } };
    const session = await windows.open({ models: [unknown], config: { cacheMode: 'cached', systemPrompt: LONG } }).chats.create();
    const { forecast, mayBeCached, inputCost } = await previewed(session, 'Hello');
    assert.deepEqual([forecast, mayBeCached], [null, false]);
    assert.ok((inputCost ?? 0) > 0);
  });
});

function chatOf(atLeast: boolean): ChatState {
  return stateOf(
    ...[1, 2, 3, 4, 5].flatMap((turn) => {
      const [runId, attemptId, question] = [`r${String(turn)}`, `at${String(turn)}`, user(`u${String(turn)}`, 'Hello')];
      const ended = { ...attemptEnded(runId, attemptId, 'complete'), cost: { usd: 0.001, atLeast } };
      return [
        ...[logged(runId, question), runStarted(runId, question.id), attemptStarted(runId, attemptId), ended],
        { type: 'run-committed', runId } as const,
      ];
    }),
  );
}

describe('what a turn of a chat usually costs', () => {
  it('is not known of turns that may have cost more', () => {
    assert.equal(unusualPrice(0.02, chatOf(false))?.median, 0.001);
    assert.equal(unusualPrice(0.02, chatOf(true)), null);
  });
});

describe('what a turn costs', () => {
  const windows = useWindows();

  const bandOf = async (window: Window, session: ChatSession): Promise<TurnBand | null> => {
    const composed = await session.next.preview({ text: 'And then?', editing: null });
    return window.chats.learned.turns.of(composed, composed.forecast, session.state);
  };

  it('is not known before five turns, then between what such turns cost; other chats of the model count', async () => {
    const { window, session } = await windows.openChat({});
    for (let turn = 0; turn < 4; turn += 1) {
      await session.conversation.send('And then?');
    }
    assert.equal(await bandOf(window, session), null);
    await session.conversation.send('And then?');
    const band = await bandOf(window, session);
    await session.conversation.send('And then?');
    const { end } = lastAttempt(session.state);
    const cost = costOf(end?.usage ?? assert.fail('It tells its usage.'), PRACTICE_STANDARD.prices)?.usd ?? assert.fail('It has prices.');
    assert.ok(band !== null && cost > band.low * 0.9 && cost < band.high * 1.1, `${JSON.stringify(band)} was ${String(cost)}`);
    assert.ok((await bandOf(window, await window.chats.create())) !== null);
  });

  it('is not told where no tool can make it longer than its first request', async () => {
    const { api } = openPanel(windows.open({}), { currentChat: undefined });
    const id = await api.newChat();
    for (let turn = 0; turn < 5; turn += 1) {
      await api.sendMessage('And then?', { chatId: id });
    }
    const { forecast } = await api.previewNextRequest(id, { text: 'And then?' });
    assert.ok(forecast !== null && forecast.turn === null);
  });
});
