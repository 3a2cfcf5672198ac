import assert from 'node:assert/strict';
import { nextRequestRows, nextRequestView } from '../../../src/host/panel/nextRequestView.js';
import type { NextRequestView } from '../../../src/protocol/view.js';
import { useWindows } from '../../support/host/window.js';

describe('A request over the budget', () => {
  const windows = useWindows();

  async function previewed(maxPromptTokens: number | null, text: string): Promise<NextRequestView> {
    const session = await windows.open({ config: { maxPromptTokens } }).chats.create();
    const composed = await session.preview({ text, editing: null });
    return nextRequestView(composed, nextRequestRows(composed), session.state);
  }

  it('is over a limit of the chat where that is lower than what the model takes', async () => {
    const own = await previewed(520, 'The tide comes in. '.repeat(50));
    assert.match(own.problem ?? '', /^Too long/);
    assert.equal(own.isOwnLimit, true);
  });

  it('has a budget that is the limit without what is kept for the reply', async () => {
    const { limit, reservedTokens, budget } = await previewed(1_000, 'Hello');
    assert.deepEqual([limit, reservedTokens, budget], [1_000, 512, 488]);
    // The reserve alone is more than this limit.
    const small = await previewed(100, 'Hello');
    assert.deepEqual([small.limit, small.budget], [100, 0]);
  });

  it('is over the limit of the model otherwise', async () => {
    for (const limit of [null, 100_000_000]) {
      assert.equal((await previewed(limit, 'Hello')).isOwnLimit, false);
    }
  });
});
