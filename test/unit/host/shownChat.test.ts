import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { column } from '../../support/columns.js';
import { until } from '../../support/host/clocks.js';
import { openPanel, readyPanel, type TestPanel } from '../../support/host/panel.js';
import { wholeState } from '../../support/host/reading.js';
import { useWindows, type Window } from '../../support/host/window.js';
import { Gate } from '../../support/http/gate.js';
import { rejection } from '../../support/rejection.js';

describe('the chat on show', () => {
  const windows = useWindows();

  /** Two chats that open slowly: `goOn` opens one of them. */
  async function openSlow(): Promise<
    TestPanel & { readonly ids: readonly [string, string]; readonly goOn: readonly [() => void, () => void] }
  > {
    const made = windows.open({});
    const ids = [(await made.chats.create()).id, (await made.chats.create()).id] as const;
    const window = windows.open({ writerId: 'other' });
    const goOn = [holdOpening(window, ids[0]), holdOpening(window, ids[1])] as const;
    return { ...openPanel(window, { currentChat: undefined }), ids, goOn };
  }

  it('is the one asked for last, also when an earlier one takes longer to open', async () => {
    const { window: made, session: slow } = await windows.openChat({});
    const quick = await made.chats.create();
    const window = windows.open({ writerId: 'other' });
    const { shown, panel } = openPanel(window, { currentChat: undefined });
    await shown.newChat();
    const goOn = holdOpening(window, slow.id);
    const first = shown.show(slow.id);
    await shown.show(quick.id);
    goOn();
    assert.equal((await first).id, slow.id);
    assert.equal(panel.session?.id, quick.id);
  });

  it('has the list of chats beside it, also when a new chat is the first thing that was asked for', async () => {
    const named = await windows.open({}).chats.create();
    await named.titler.rename('Tides');
    const { shown, chats, say, webview } = openPanel(windows.open({ writerId: 'other' }), { currentChat: undefined });
    const { id: created } = await shown.newChat();
    await say({ type: 'ready' });
    await until(() => chats.isListed, 'a list of chats');
    await until(() => (webview.state.chats ?? []).length > 0, 'its rows');
    assert.deepEqual((webview.state.chats ?? []).map((chat) => chat.id).sort(), [named.id, created].sort());
  });

  it('does not give way to one that was asked for before, also when both take long to open', async () => {
    const { ids, goOn, panel, shown } = await openSlow();
    const before = await shown.newChat();
    const first = shown.show(ids[0]);
    const second = shown.show(ids[1]);
    goOn[0]();
    assert.equal((await first).id, ids[0]);
    assert.equal(panel.session, before, 'the second one is still waited for');
    goOn[1]();
    await second;
    assert.equal(panel.session.id, ids[1]);
  });

  it('does not give way to one that was asked for before and cannot be read', async () => {
    const { ids, goOn, shown, panel } = await openSlow();
    const failed = rejection(shown.show(ids[0]));
    const other = await shown.newChat();
    await rm(join(windows.folder, 'chats', ids[0]), { recursive: true });
    goOn[0]();
    await failed;
    assert.equal(panel.session, other);
  });

  it('stays when another one was opened while it was being deleted', async () => {
    const window = windows.open({});
    const { shown, panel } = openPanel(window, { currentChat: undefined });
    const doomed = await shown.newChat();
    await window.chats.create();
    const chosen = await window.chats.create();
    await window.chats.create();
    const deleted = shown.delete(doomed.id);
    await shown.show(chosen.id);
    await deleted;
    assert.equal(panel.session?.id, chosen.id);
  });

  it('gives way at Clear to a fresh one with its settings and context, and stays listed as it is', async () => {
    const { chats, shown, panel } = openPanel(windows.open({}), { currentChat: undefined });
    const cleared = await shown.newChat();
    await cleared.conversation.send('/long 1');
    await cleared.changeConfig({ systemPrompt: 'Be brief.' });
    const before = wholeState(cleared.state);
    const fresh = await shown.clear(cleared);
    assert.equal(panel.session, fresh);
    assert.notEqual(fresh, cleared);
    assert.equal(fresh.state.config.systemPrompt, 'Be brief.');
    assert.deepEqual(wholeState(cleared.state), before);
    assert.equal(await shown.clear(fresh), fresh, 'nothing was said in it');
    assert.equal(chats.list().length, 2);
  });

  it('is kept by New Chat as long as it is as new as one could be', async () => {
    const config = { systemPrompt: '' };
    const window = windows.open({ config });
    const { shown } = openPanel(window, { currentChat: undefined });
    const first = await shown.newChat();
    assert.equal(await shown.newChat(), first);
    config.systemPrompt = 'The settings have changed.';
    const second = await shown.newChat();
    assert.notEqual(second, first);
    assert.equal(second.state.config.systemPrompt, 'The settings have changed.');
    await second.titler.rename('Named');
    assert.notEqual(await shown.newChat(), second);
  });

  it('is one that was left as it was, rather than one more', async () => {
    const { chats, shown, drafts } = openPanel(windows.open({}), { currentChat: undefined });
    const empty = await shown.newChat();
    const used = await chats.create();
    await used.conversation.send('/long 1');
    await shown.show(used.id);
    assert.equal(await shown.newChat(), empty);
    drafts.typed(empty.id, 'Not sent yet', { panel: 'view', number: 1 });
    assert.notEqual(await shown.newChat(), empty, 'a draft is not lost sight of');
  });
});

describe('the list of chats', () => {
  const windows = useWindows();

  it('leaves out new chats that were left as they were', async () => {
    const { chats, shown, webview, drafts, session: empty } = await readyPanel(windows.open({}));
    const used = await chats.create();
    await used.conversation.send('/long 1');
    const listed = (): Promise<string[]> => shown.listed().then((items) => items.map(({ id }) => id));
    assert.deepEqual((await listed()).sort(), [empty.id, used.id].sort(), 'the one on show is there');
    await shown.show(used.id);
    assert.deepEqual(await listed(), [used.id]);
    assert.deepEqual(column(webview.state.chats, 'id'), [used.id]);
    drafts.typed(empty.id, 'Not sent yet', { panel: 'view', number: 1 });
    assert.deepEqual((await listed()).sort(), [empty.id, used.id].sort());
  });

  it('knows after a restart which of them were used, by a file, a name or a draft', async () => {
    const { chats, drafts, shown } = openPanel(windows.open({}), { currentChat: undefined });
    await shown.newChat();
    const [named, drafted] = [await chats.create(), await chats.create()];
    await named.titler.rename('Named');
    drafts.typed(drafted.id, 'Not sent yet', { panel: 'view', number: 1 });
    await drafts.flush();
    const used = await chats.create();
    await used.conversation.send('/long 1');
    await chats.close();
    const again = openPanel(windows.open({ writerId: 'later' }), { currentChat: used.id });
    await again.shown.current();
    const ids = (await again.shown.listed()).map(({ id }) => id);
    assert.deepEqual(ids.sort(), [named.id, drafted.id, used.id].sort());
  });
});

function holdOpening({ chats }: Window, chatId: string): () => void {
  const open = chats.openWatched.bind(chats);
  const { opened: held, open: goOn } = new Gate();
  chats.openWatched = async (id, watch): Promise<ChatSession> => {
    if (id === chatId) {
      await held;
    }
    return open(id, watch);
  };
  return goOn;
}
