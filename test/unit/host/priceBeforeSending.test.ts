import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/accounting/price.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { nextRequestRows, nextRequestView } from '../../../src/host/panel/nextRequestView.js';
import type { NextRequestView } from '../../../src/protocol/view.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { lastAttempt } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

/** Long enough for the cache. */
const LONG = 'The tide comes in. '.repeat(400);

async function previewed(session: ChatSession, text: string): Promise<NextRequestView> {
  const composed = await session.preview({ text, editing: null });
  return nextRequestView(composed, nextRequestRows(composed), session.state);
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

  it('tells what a reply of this chat typically costs, once there is one', async () => {
    const session = await windows.open({}).chats.create();
    assert.equal((await previewed(session, 'Hello')).replyCost, null);
    for (const words of [40, 5, 400]) {
      await session.conversation.send(`/long ${String(words)}`);
    }
    const costs = [...session.state.attempts.values()].map(({ end }) => (end?.usage?.completionTokens?.value ?? 0) * 15e-6);
    const [shortest, median, longest] = costs.toSorted((a, b) => a - b);
    const { replyCost } = await previewed(session, 'Hello');
    assert.ok(shortest !== undefined && longest !== undefined && shortest < longest);
    assert.equal(replyCost?.toFixed(9), median?.toFixed(9));
  });
});
