import assert from 'node:assert/strict';
import type { AssistantEntry } from '../../../src/protocol/view.js';
import { EntryViews } from '../../../src/host/view/entries.js';
import { PRACTICE_SMALL } from '../../../src/providers/practice/models.js';
import { useWindows } from '../../support/host/window.js';

describe('the entry of a reply', () => {
  const windows = useWindows();

  async function replyTo(text: string): Promise<AssistantEntry> {
    const session = await windows.open({ config: { model: PRACTICE_SMALL.ref } }).chats.create();
    await session.send(text);
    const { entries } = new EntryViews(() => 'Model').derive(session.state, 10);
    const reply = entries.findLast((entry) => entry.kind === 'assistant');
    assert.ok(reply);
    return reply;
  }

  it('is done when the model has ended it', async () => {
    assert.equal((await replyTo('/long 3')).status, 'done');
  });

  it('says when the output limit cut it off', async () => {
    const { status, usage } = await replyTo('/long 9000');
    assert.equal(status, 'cutOff');
    assert.equal(usage?.outputTokens, PRACTICE_SMALL.maxOutputTokens);
  });
});
