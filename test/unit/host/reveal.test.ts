import assert from 'node:assert/strict';
import type { ToWebview } from '../../../src/protocol/toWebview.js';
import { rejection } from '../../support/rejection.js';
import { openPanel, type FakeWebview, type TestPanel } from '../../support/host/panel.js';
import { lastReply, lastUser, messages } from '../../support/host/reading.js';
import { useWindows } from '../../support/host/window.js';

const TURNS = 40;

function revealed({ received }: FakeWebview): string[] {
  return received.filter((message): message is Extract<ToWebview, { type: 'reveal' }> => message.type === 'reveal').map(({ entryId }) => entryId);
}

describe('a message that is brought into sight', () => {
  const windows = useWindows();

  async function openLong(): Promise<TestPanel> {
    const opened = openPanel(windows.open({}), { currentChat: undefined });
    const session = await opened.app.current();
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await session.send(`/long ${String(turn)}`);
    }
    return opened;
  }

  it('is among the entries by then, with all that follow it', async () => {
    const { app, panel, webview, say } = await openLong();
    await say({ type: 'ready' });
    const first = messages((await app.current()).state)[0]!;
    await panel.reveal(first.id);
    assert.deepEqual(revealed(webview), [first.id]);
    assert.equal(webview.state.entries[0]?.id, first.id);
    assert.equal(webview.state.entries.length, 2 * TURNS);
  });

  it('is told to a webview that starts later', async () => {
    const { app, panel, webview, say } = await openLong();
    const { id } = lastUser((await app.current()).state);
    await panel.reveal(id);
    assert.deepEqual(revealed(webview), []);
    await say({ type: 'ready' });
    assert.deepEqual(revealed(webview), [id]);
    await say({ type: 'ready' });
    assert.deepEqual(revealed(webview), [id], 'once');
  });

  it('is found as a reply by its message and by its attempt', async () => {
    const { app, panel, webview, say } = await openLong();
    await say({ type: 'ready' });
    const { id, attemptId } = lastReply((await app.current()).state);
    await panel.reveal(id);
    await panel.reveal(attemptId);
    assert.deepEqual(revealed(webview), [attemptId, attemptId]);
  });

  it('is refused with the reason when an edit has set it aside', async () => {
    const { app, panel, webview, say } = await openLong();
    await say({ type: 'ready' });
    const session = await app.current();
    const { id } = lastUser(session.state);
    await session.edit(id, 'Another question');
    assert.match((await rejection(panel.reveal(id))).message, /set it aside/);
    assert.deepEqual(revealed(webview), []);
  });
});
