import assert from 'node:assert/strict';
import { activeCompaction } from '../../../src/engine/chat/slices/compaction.js';
import { promptBudget } from '../../../src/engine/budget/budget.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { longTalk, messagesIn, PAGE, RULE } from '../../support/host/longTalk.js';
import { useWindows } from '../../support/host/window.js';

const ROLLING = { compaction: 'on', compactionPolicy: 'rolling-window' } as const;
/** The summary of each part of a conversation that needs several requests, then the reply. */
const IN_SHORT = Array.from({ length: 4 }, () => [{ text: 'In short.' }]);

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
    // Room for three exchanges and a summary, but not for eight.
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 2_000 });
    house.replies.push(...IN_SHORT);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.equal(activeCompaction(session.state)?.case, 'summarize');
    assert.equal(times(body, 'Previous Conversation Summary:'), 1);
    assert.equal(times(body, 'And now?'), 1);
    assert.ok([6, 7, 8].every((number) => times(body, `Answer ${String(number)}.`) === 1) && !body.includes('Answer 5.'));
  });

  it('shrinks its window when the last six are over its budget on their own, and keeps the latest exchange', async () => {
    const { house, session } = await longTalk(windows, 5, {});
    // Less than the last six messages take.
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 1_600 });
    house.replies.push(...IN_SHORT);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.ok(windows.counter.count(body) <= promptBudget(session.state.config, PRACTICE_STANDARD));
    assert.deepEqual(
      ['In short.', 'Answer 5.', 'Answer 3.'].map((text) => body.includes(text)),
      [true, true, false],
      String(windows.counter.count(body)),
    );
    assert.equal(times(body, 'And now?'), 1);
  });

  it('leaves out what the summary would have replaced when that fails, and the message is sent', async () => {
    const { house, session } = await longTalk(windows, 8, {});
    // Over the budget, but far below twice of it.
    await session.changeConfig({ ...ROLLING, maxPromptTokens: 2_000 });
    house.replies.push([{ text: '' }], [{ text: 'Sent.' }]);
    await session.conversation.send('And now?');
    const body = messagesIn(house.bodies.at(-1));
    assert.ok(windows.counter.count(body) <= promptBudget(session.state.config, PRACTICE_STANDARD));
    assert.ok([6, 7, 8].every((number) => times(body, `Answer ${String(number)}.`) === 1) && !body.includes('Answer 5.'));
    assert.ok(times(body, 'And now?') === 1 && body.includes(RULE), 'what binds is not left out');
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
