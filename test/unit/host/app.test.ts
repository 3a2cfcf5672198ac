import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { until } from '../../support/host/clocks.js';
import { openPanel, type TestPanel } from '../../support/host/panel.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { rejection } from '../../support/rejection.js';

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

  describe('while the end of a long one is all that there is of it', () => {
    /** Two chats that take long to open: `goOn` opens one of them. */
    async function openSlow(): Promise<
      TestPanel & { readonly ids: readonly [string, string]; readonly goOn: readonly [() => void, () => void] }
    > {
      const made = windows.open({});
      const sessions = [await made.chats.create(), await made.chats.create()] as const;
      const ids = [sessions[0].id, sessions[1].id] as const;
      const window = windows.open({ writerId: 'other' });
      const goOn = [holdOpening(window, ids[0]), holdOpening(window, ids[1])] as const;
      window.chats.glimpse = (chatId) => Promise.resolve(sessions.find(({ id }) => id === chatId)?.state ?? null);
      return { ...openPanel(window, { currentChat: undefined }), ids, goOn };
    }

    it('is what commands are about', async () => {
      const { app, panel, ids, goOn } = await openSlow();
      for (const n of [0, 1] as const) {
        const shown = app.show(ids[n]);
        await until(() => panel.isFreeFor(ids[n]) && !panel.isFreeFor('another'), 'its end is on show');
        // Nobody asks for the first one while it is being read.
        const current = n === 0 ? shown : app.current();
        goOn[n]();
        assert.equal((await current).id, ids[n]);
        await shown;
      }
    });

    it('does not give way to one that was asked for before', async () => {
      const { app, panel, ids, goOn } = await openSlow();
      const first = app.show(ids[0]);
      await until(() => !panel.isFreeFor('another'), 'the end of the first is on show');
      const second = app.show(ids[1]);
      await until(() => panel.isFreeFor(ids[1]), 'the end of the second is on show');
      goOn[0]();
      await first;
      assert.ok(panel.isFreeFor(ids[1]), 'the end of the second is still on show');
      goOn[1]();
      await second;
      assert.equal(panel.session?.id, ids[1]);
    });

    it('gives way to another one, and does not come back when it cannot be read', async () => {
      const { app, panel, ids, goOn } = await openSlow();
      const failed = rejection(app.show(ids[0]));
      await until(() => !panel.isFreeFor('another'), 'its end is on show');
      const other = await app.newChat();
      await rm(join(windows.folder, 'chats', ids[0]), { recursive: true });
      goOn[0]();
      await failed;
      assert.equal(panel.session, other);
    });
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
