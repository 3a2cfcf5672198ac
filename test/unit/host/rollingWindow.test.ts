import assert from 'node:assert/strict';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { promptBudget } from '../../../src/engine/budget/budget.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { longTalk, messagesIn, PAGE } from '../../support/host/longTalk.js';
import { useWindows } from '../../support/host/window.js';

const ROLLING = { compaction: 'on', compactionPolicy: 'rolling-window' } as const;

/** How often a text stands in another. */
function times(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe('a chat with a rolling window', () => {
  const windows = useWindows();

  it('has no summary while it is under its budget: every message is sent as it is', async () => {
    const { house, session } = await longTalk(windows, 5, { config: ROLLING });
    await session.compactor.settled();
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.deepEqual([session.state.compactions.size, house.bodies.length], [0, 6]);
    assert.ok([1, 2, 3, 4, 5].every((number) => times(body, `Answer ${String(number)}.`) === 1) && !body.includes('Summary:'));
  });

  it('has older messages summarized when it is over its budget; the last six stay, and the message that is sent stands once', async () => {
    const { house, session } = await longTalk(windows, 8, {});
    // Room for three exchanges and a summary, and not for eight.
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 2_000 });
    house.replies.push([{ text: 'In short.' }]);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.equal(times(body, 'Previous Conversation Summary:'), 1);
    assert.equal(times(body, 'And now?'), 1);
    assert.ok([6, 7, 8].every((number) => times(body, `Answer ${String(number)}.`) === 1) && !body.includes('Answer 5.'));
  });

  it('stays under its limit when the summary fails: its beginning is left out', async () => {
    const { house, session } = await longTalk(windows, 12, {});
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 1_500 });
    house.replies.push([{ text: '' }], [{ text: '' }], [{ text: '' }]);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.equal(activeCompaction(session.state)?.case, 'emergency');
    assert.ok(windows.counter.count(body) <= promptBudget(session.state.config, PRACTICE_STANDARD));
    assert.ok(times(body, 'And now?') === 1 && body.includes('Answer 12.') && body.includes(PAGE.trim()));
  });
});
