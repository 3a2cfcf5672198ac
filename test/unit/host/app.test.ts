import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { openPanel } from '../../support/host/panel.js';
import { useWindows, type Window } from '../../support/host/window.js';

describe('the chat on show', () => {
  const windows = useWindows();

  it('is the one asked for last, also when an earlier one takes longer to open', async () => {
    const made = windows.open({});
    const slow = await made.chats.create();
    const quick = await made.chats.create();
    const window = windows.open({ writerId: 'other' });
    const { app } = openPanel(window, { currentChat: undefined });
    await app.newChat();
    const goOn = holdOpening(window, slow.id);
    const first = app.show(slow.id);
    await app.show(quick.id);
    goOn();
    assert.equal((await first).id, slow.id);
    assert.equal(app.panel.session?.id, quick.id);
  });

  it('stays when another one was opened while it was being deleted', async () => {
    const window = windows.open({});
    const { app } = openPanel(window, { currentChat: undefined });
    const doomed = await app.newChat();
    await window.chats.create();
    const chosen = await window.chats.create();
    await window.chats.create();
    const deleted = app.deleteChat(doomed.id);
    await app.show(chosen.id);
    await deleted;
    assert.equal(app.panel.session?.id, chosen.id);
  });

  it('is kept by New Chat as long as it is as new as one could be', async () => {
    const config = { systemPrompt: '' };
    const window = windows.open({ config });
    const { app } = openPanel(window, { currentChat: undefined });
    const first = await app.newChat();
    assert.equal(await app.newChat(), first);
    config.systemPrompt = 'The settings have changed.';
    const second = await app.newChat();
    assert.notEqual(second, first);
    assert.equal(second.state.config.systemPrompt, 'The settings have changed.');
    await second.rename('Named');
    assert.notEqual(await app.newChat(), second);
  });
});

/** Holds back the opening of a chat until the function returned is called. */
function holdOpening({ chats }: Window, chatId: string): () => void {
  const open = chats.openWatched.bind(chats);
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  chats.openWatched = async (id, progress): Promise<ChatSession> => {
    if (id === chatId) {
      await held;
    }
    return open(id, progress);
  };
  return goOn;
}
