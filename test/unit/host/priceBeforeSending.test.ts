import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/accounting/price.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { nextRequestRows, nextRequestView } from '../../../src/host/panel/nextRequestView.js';
import type { NextRequestView } from '../../../src/protocol/view.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { EchoTool, lastAttempt } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

/** Long enough for the cache. */
const LONG = 'The tide comes in. '.repeat(400);

async function previewed(session: ChatSession, text: string): Promise<Omit<NextRequestView, 'summary'>> {
  const composed = await session.preview({ text, editing: null });
  return nextRequestView(composed, nextRequestRows(composed).blocks, session.state);
}

/** What the input of the last reply was billed, in US dollars. */
function billedInput(session: ChatSession): number {
  const usage = lastAttempt(session.state).end?.usage;
  assert.ok(usage);
  const cost = costOf({ ...usage, completionTokens: { value: 0, source: 'reported' } }, PRACTICE_STANDARD.prices);
  assert.ok(cost);
  return cost.usd;
}

describe('The price before sending', () => {
  const windows = useWindows();

  for (const [cacheMode, systemPrompt] of [
    ['cached', LONG],
    ['cached', 'Be brief.'],
    ['system', LONG],
    ['all-off', LONG],
  ] as const) {
    it(`is what the input is billed: cache mode ${cacheMode}, ${String(systemPrompt.length)} characters of system prompt`, async () => {
      const window = windows.open({ config: { cacheMode, systemPrompt } });
      const session = await window.chats.create();
      const { inputCost } = await previewed(session, 'Hello');
      await session.conversation.send('Hello');
      const billed = billedInput(session);
      assert.ok(inputCost !== null && Math.abs(inputCost - billed) <= billed * 0.01, `${String(inputCost)} was ${String(billed)}`);
    });
  }

  it('tells what the last reply of this chat cost, and from four on what one typically costs', async () => {
    const session = await windows.open({}).chats.create();
    assert.equal((await previewed(session, 'Hello')).reply, null);
    const costs = (): number[] => [...session.state.attempts.values()].map(({ end }) => (end?.usage?.completionTokens?.value ?? 0) * 15e-6);
    for (const words of [40, 5, 400]) {
      await session.conversation.send(`/long ${String(words)}`);
      const { reply } = await previewed(session, 'Hello');
      assert.deepEqual([reply?.isTypical, reply?.cost.toFixed(9)], [false, costs().at(-1)?.toFixed(9)]);
    }
    await session.conversation.send('/long 80');
    const [, , median] = costs().toSorted((a, b) => a - b);
    const { reply } = await previewed(session, 'Hello');
    assert.deepEqual([reply?.isTypical, reply?.cost.toFixed(9)], [true, median?.toFixed(9)]);
  });

  it('counts all that a message made the model write as one reply, also around its tools', async () => {
    const session = await windows.open({ tools: new EchoTool() }).chats.create();
    await session.conversation.send('/tool echo {"a": 1}\n/tool echo {"b": 2}\n/long 30');
    const lengths = [...session.state.attempts.values()].map(({ end }) => end?.usage?.completionTokens?.value ?? 0);
    assert.ok(lengths.length > 1);
    const { reply } = await previewed(session, 'Hello');
    assert.equal(reply?.cost.toFixed(9), (lengths.reduce((sum, length) => sum + length, 0) * 15e-6).toFixed(9));
  });

  it('is the most that the input may cost once the cache holds a part of it', async () => {
    const session = await windows.open({ config: { cacheMode: 'cached', systemPrompt: LONG } }).chats.create();
    assert.equal((await previewed(session, 'Hello')).mayBeCached, false);
    await session.conversation.send('Hello');
    assert.equal((await previewed(session, 'Hello')).mayBeCached, true);
    await session.changeConfig({ cacheMode: 'all-off' });
    assert.equal((await previewed(session, 'Hello')).mayBeCached, false);
  });
});
