import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { Drafts } from '../../../src/host/chat/drafts.js';
import { SteppedClock, stepUntil, until } from '../../support/host/clocks.js';
import { openPanel, panelOf, readyPanel, type TestPanel } from '../../support/host/panel.js';
import { conversation, lastUser, messages, partialText } from '../../support/host/reading.js';
import { useWindows, type WindowOptions } from '../../support/host/window.js';
import { failureOf } from '../../support/failures.js';

/** Its message ids are `message 1`, `message 2` and so on. */
function draftsIn(storage: ConstructorParameters<typeof Drafts>[0], logError: (error: LoupeError) => void): Drafts {
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `message ${String(ids)}`;
  };
  return new Drafts(storage, newId, logError);
}

describe('the draft', () => {
  const windows = useWindows();

  async function open(options: WindowOptions): Promise<TestPanel & { readonly session: ChatSession; readonly chatId: string }> {
    const test = await readyPanel(windows.open(options));
    return { ...test, chatId: test.session.id };
  }

  it('is what was typed, and echoes the number of the edit', async () => {
    const { chatId, snapshot, say } = await open({});
    await say({ type: 'draft', chatId, text: 'Hel', edit: 3 });
    assert.deepEqual(snapshot().draft, { text: 'Hel', revision: 0, edit: 3, editing: null, isShortened: false });
  });

  it('is part of the next request', async () => {
    const { chatId, webview, say } = await open({});
    await until(() => webview.state.nextRequest !== null, 'the next request is shown');
    const without = webview.state.nextRequest?.totalTokens ?? 0;
    await say({ type: 'draft', chatId, text: 'A question of several words', edit: 1 });
    await until(() => (webview.state.nextRequest?.totalTokens ?? 0) > without, 'the draft is counted');
  });

  it('survives the window', async () => {
    const { chatId, drafts, say } = await open({});
    await say({ type: 'draft', chatId, text: 'Half a sent', edit: 1 });
    await drafts.flush();
    const next = await panelOf(windows.open({ writerId: 'next' }), chatId);
    assert.deepEqual(next.webview.state.draft, {
      text: 'Half a sent',
      revision: 0,
      edit: 0,
      editing: null,
      isShortened: false,
    });
  });

  it('is announced when it was read, because the list of chats shows a new chat only with a draft', async () => {
    const kept = { text: 'Half', images: [], editing: null, setAside: { text: '', images: [] }, original: null };
    const drafts = draftsIn({ read: () => Promise.resolve(JSON.stringify(kept)), write: () => Promise.resolve() }, () => undefined);
    const changed: string[] = [];
    drafts.onChange((chatId) => changed.push(chatId));
    await drafts.load('a');
    assert.deepEqual([drafts.get('a').text, changed], ['Half', ['a']]);
  });

  it('is written by itself a moment after the last key', async () => {
    const { chatId, say } = await open({});
    await say({ type: 'draft', chatId, text: 'Half', edit: 1 });
    await say({ type: 'draft', chatId, text: 'Half a sentence', edit: 2 });
    const path = join(windows.folder, 'chats', chatId, 'draft.json');
    await until(() => existsSync(path), 'the draft is on the disk');
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
    assert.deepEqual(kept, { text: 'Half a sentence', images: [], editing: null, setAside: { text: '', images: [] }, original: null });
  });

  it('is waited for by the closing window also while it is being written', async () => {
    const writes: { readonly text: string; readonly done: () => void }[] = [];
    const write = (_chatId: string, text: string): Promise<void> => new Promise((done) => writes.push({ text, done }));
    const drafts = draftsIn({ read: () => Promise.resolve(''), write }, (error) => {
      throw error;
    });
    drafts.typed('chat', 'Half', { panel: 'view', number: 1 });
    const writing = drafts.flush();
    let isClosed = false;
    const closing = drafts.flush().then(() => {
      isClosed = true;
    });
    await setImmediate();
    assert.equal(isClosed, false);
    writes.forEach(({ done }) => {
      done();
    });
    await Promise.all([writing, closing]);
    assert.equal(isClosed, true);
  });

  it('is empty, and the failure logged, when its file is damaged', async () => {
    const window = windows.open({});
    const { id } = await window.chats.create();
    for (const damage of ['{"text":', '[]', '{"text":1,"images":[],"editing":null,"setAside":{"text":"","images":[]},"original":null}']) {
      writeFileSync(join(windows.folder, 'chats', id, 'draft.json'), damage);
      const { drafts } = openPanel(window, { currentChat: undefined });
      await drafts.load(id);
      assert.equal(drafts.get(id).text, '');
      assert.match(window.errors.at(-1)?.message ?? '', /draft of this chat could not be read/);
    }
  });

  it('keeps the id of its message until that is taken, so that no two messages share one', () => {
    const drafts = draftsIn({ read: () => Promise.resolve(''), write: () => Promise.resolve() }, () => undefined);
    const idOf = (chatId: string): string => drafts.get(chatId).messageId;
    assert.deepEqual([idOf('a'), idOf('b')], ['message 1', 'message 2']);
    drafts.typed('a', 'Half', { panel: 'view', number: 1 });
    drafts.typed('a', 'Half a sentence', { panel: 'tab', number: 1 });
    assert.equal(idOf('a'), 'message 1');
    assert.equal(drafts.take('a'), 'message 1');
    assert.deepEqual([drafts.get('a').text, idOf('a')], ['', 'message 3']);
    assert.deepEqual([drafts.take('a'), idOf('a'), idOf('b')], ['message 3', 'message 4', 'message 2']);
  });

  it('counts its edits anew when the webview starts anew, and keeps its text', async () => {
    const { chatId, webview, say } = await open({});
    await say({ type: 'draft', chatId, text: 'Text', edit: 9 });
    await say({ type: 'ready' });
    assert.deepEqual([webview.state.draft.text, webview.state.draft.edit], ['Text', 0]);
  });

  it('belongs to its chat', async () => {
    const { chatId, webview, say, shown } = await open({});
    await (await shown.current()).conversation.send('/long 2');
    await say({ type: 'draft', chatId, text: 'For the first', edit: 1 });
    await say({ type: 'newChat' });
    assert.equal(webview.state.draft.text, '');
    await say({ type: 'openChat', chatId });
    assert.equal(webview.state.draft.text, 'For the first');
  });

  describe('sent', () => {
    it('leaves the composer empty at once, not when the reply is there', async () => {
      const clock = new SteppedClock();
      const { chatId, snapshot, say, session } = await open({ clock });
      await say({ type: 'draft', chatId, text: '/long 100', edit: 1 });
      const sent = say({ type: 'send', chatId, text: '/long 100' });
      await stepUntil(clock, () => partialText(session) !== '', 'text streams');
      assert.deepEqual(snapshot().draft, { text: '', revision: 1, edit: 1, editing: null, isShortened: false });
      await session.conversation.stop();
      await sent;
    });

    it('takes in the text of a prompt, where its name stood', async () => {
      const { asked, snapshot, webview, say, shown } = await readyPanel(windows.open({}));
      const { id: chatId } = await shown.current();
      await say({ type: 'draft', chatId, text: 'Before\n and after', edit: 1 });
      const focused = webview.of('focusComposer');
      await say({ type: 'usePrompt', chatId, key: 'prompt:docs/review', at: 7 });
      assert.deepEqual(asked, ['fill prompt:docs/review', `showNotes ${chatId} [object Object]`, `addReferenced ${chatId} docs/tides.md`]);
      assert.equal(snapshot().draft.text, 'Before\nThe text of a prompt and after');
      assert.equal(webview.of('focusComposer'), focused + 1);
    });

    it('is kept when the request is too long for its budget, and nothing is sent', async () => {
      const window = { config: { maxPromptTokens: 600 } };
      const { chatId, snapshot, webview, say, session } = await open(window);
      await session.conversation.send('/long 2');
      const long = 'The tide comes in. '.repeat(100);
      await say({ type: 'draft', chatId, text: long, edit: 1 });
      await say({ type: 'send', chatId, text: long });
      assert.deepEqual([snapshot().draft.text, messages(session.state).length], [long, 2]);
      await say({ type: 'beginEdit', chatId, messageId: lastUser(session.state).id });
      await say({ type: 'send', chatId, text: long });
      assert.equal(snapshot().draft.text, long);
      assert.notEqual(webview.state.draft.editing, null);
      await until(() => webview.state.nextRequest?.problem?.startsWith('The request is too long') === true, 'the next request says why');
    });

    it('is kept when it cannot be sent: an edit while a reply streams, and when it is empty', async () => {
      const clock = new SteppedClock();
      const { chatId, snapshot, webview, say, session } = await open({ clock });
      const first = say({ type: 'send', chatId, text: '/long 2' });
      await stepUntil(clock, () => messages(session.state).length === 2, 'it is answered');
      await first;
      await say({ type: 'beginEdit', chatId, messageId: lastUser(session.state).id });
      const second = session.conversation.send('/long 100');
      await stepUntil(clock, () => messages(session.state).length === 3, 'the next one is sent');
      await say({ type: 'draft', chatId, text: 'Too early', edit: 1 });
      await say({ type: 'send', chatId, text: 'Too early' });
      assert.equal(snapshot().draft.text, 'Too early');
      assert.match(webview.state.banners[0]?.text ?? '', /is writing a reply\. Stop/);
      assert.equal(messages(session.state).length, 3);
      await session.conversation.stop();
      await second;
      await say({ type: 'cancelEdit', chatId });
      await say({ type: 'draft', chatId, text: '  ', edit: 2 });
      await say({ type: 'send', chatId, text: '  ' });
      assert.equal(snapshot().draft.text, '  ');
      assert.equal(webview.state.banners[0]?.text, 'The message is empty.');
    });
  });

  describe('sent twice', () => {
    it('gives two messages with their own ids: the second waits for the first', async () => {
      const { chatId, say, shown } = await open({});
      const { state } = await shown.current();
      await say({ type: 'draft', chatId, text: '/long 2', edit: 1 });
      await Promise.all([say({ type: 'send', chatId, text: '/long 2' }), say({ type: 'send', chatId, text: '/long 2' })]);
      await until(() => conversation(state).length === 4, 'both are answered');
      const expected = ['/long 2', '/long 2'].flatMap((text) => [`user: ${text}`, 'assistant: Practice text.']);
      assert.deepEqual(conversation(state), expected);
      assert.equal(new Set(messages(state).map(({ id }) => id)).size, 4);
    });

    it('has a new id after a refused run, whose message stays on a replaced branch', async () => {
      const { chatId, drafts, say, session } = await open({ config: { maxPromptTokens: 600 } });
      const long = 'The tide comes in. '.repeat(100);
      await say({ type: 'draft', chatId, text: long, edit: 1 });
      const { messageId } = drafts.get(chatId);
      await say({ type: 'send', chatId, text: long });
      assert.deepEqual([drafts.get(chatId).text, messages(session.state)], [long, []]);
      assert.notEqual(drafts.get(chatId).messageId, messageId);
      await say({ type: 'send', chatId, text: '/long 2' });
      assert.deepEqual(conversation(session.state), ['user: /long 2', 'assistant: Practice text.']);
    });
  });

  describe('while a message is edited', () => {
    it('is that message; what was being written is set aside and comes back when the edit is sent', async () => {
      const { chatId, snapshot, webview, say, session } = await open({});
      await session.conversation.send('/long 2');
      const messageId = lastUser(session.state).id;
      await say({ type: 'draft', chatId, text: 'My next question', edit: 1 });
      await say({ type: 'beginEdit', chatId, messageId });
      assert.deepEqual(snapshot().draft, { text: '/long 2', revision: 1, edit: 1, editing: messageId, isShortened: false });
      assert.ok(webview.received.some(({ type }) => type === 'focusComposer'));
      await say({ type: 'send', chatId, text: '/long 3' });
      assert.deepEqual(snapshot().draft, {
        text: 'My next question',
        revision: 2,
        edit: 1,
        editing: null,
        isShortened: false,
      });
      assert.deepEqual(conversation(session.state), ['user: /long 3', 'assistant: Practice text that.']);
    });

    it('comes back when the edit is given up, and nothing is changed', async () => {
      const { chatId, panel, webview, say, session } = await open({});
      await session.conversation.send('/long 2');
      await say({ type: 'draft', chatId, text: 'My next question', edit: 1 });
      await say({ type: 'beginEdit', chatId, messageId: lastUser(session.state).id });
      await say({ type: 'draft', chatId, text: 'Changed', edit: 2 });
      await say({ type: 'cancelEdit', chatId });
      await say({ type: 'cancelEdit', chatId });
      panel.channel.snapshot();
      assert.deepEqual([webview.state.draft.text, webview.state.draft.editing], ['My next question', null]);
      assert.deepEqual(conversation(session.state), ['user: /long 2', 'assistant: Practice text.']);
    });

    it('keeps what was set aside when another message is edited instead', async () => {
      const { chatId, drafts, say, session } = await open({});
      await session.conversation.send('/long 2');
      const first = lastUser(session.state).id;
      await session.conversation.send('/long 3');
      await say({ type: 'draft', chatId, text: 'My next question', edit: 1 });
      await say({ type: 'beginEdit', chatId, messageId: lastUser(session.state).id });
      await say({ type: 'beginEdit', chatId, messageId: first });
      assert.equal(drafts.get(chatId).text, '/long 2');
      await say({ type: 'cancelEdit', chatId });
      assert.equal(drafts.get(chatId).text, 'My next question');
    });

    it('is kept over the end of the window, with what was set aside', async () => {
      const { chatId, drafts, say, session } = await open({});
      await session.conversation.send('/long 2');
      await say({ type: 'draft', chatId, text: 'My next question', edit: 1 });
      const messageId = lastUser(session.state).id;
      await say({ type: 'beginEdit', chatId, messageId });
      await say({ type: 'draft', chatId, text: 'Better', edit: 2 });
      await drafts.flush();
      const next = await panelOf(windows.open({ writerId: 'next' }), chatId);
      assert.deepEqual([next.webview.state.draft.text, next.webview.state.draft.editing], ['Better', messageId]);
      await next.say({ type: 'cancelEdit', chatId });
      assert.equal(next.drafts.get(chatId).text, 'My next question');
    });

    it('is not lost when that message has left the conversation meanwhile', async () => {
      const { chatId, snapshot, webview, say, session } = await open({});
      await session.conversation.send('/long 2');
      const first = lastUser(session.state).id;
      await session.conversation.send('/long 3');
      await say({ type: 'beginEdit', chatId, messageId: lastUser(session.state).id });
      await say({ type: 'draft', chatId, text: 'A long and careful text', edit: 1 });
      await say({ type: 'retry', chatId, messageId: first });
      await say({ type: 'send', chatId, text: 'A long and careful text' });
      assert.equal(snapshot().draft.text, 'A long and careful text');
      assert.equal(webview.state.banners[0]?.text, 'This message no longer exists in the chat.');
    });

    it('does not begin while a reply streams', async () => {
      const clock = new SteppedClock();
      const { chatId, drafts, say, session } = await open({ clock });
      const run = session.conversation.send('/long 100');
      await stepUntil(clock, () => partialText(session) !== '', 'text streams');
      await say({ type: 'beginEdit', chatId, messageId: lastUser(session.state).id });
      assert.equal(drafts.get(chatId).editing, null);
      await session.conversation.stop();
      await run;
    });
  });

  describe('with a storage that fails', () => {
    it('lives in memory; the failure is logged and told once, and when it is over', async () => {
      const failure = failureOf('storage', 'The disk is gone.');
      const heard: (string | null)[] = [];
      let write = (): Promise<void> => Promise.reject(failure);
      const storage = { read: () => Promise.reject(failure), write: () => write() };
      const drafts = draftsIn(storage, ({ message }) => heard.push(message));
      drafts.onChange((_chatId, change) => {
        if (change === 'saving') {
          heard.push(drafts.failure('chat')?.message ?? null);
        }
      });
      await drafts.load('chat');
      assert.equal(drafts.get('chat').text, '');
      for (const text of ['T', 'Te', 'Text']) {
        drafts.typed('chat', text, { panel: 'view', number: text.length });
        await drafts.flush();
      }
      assert.equal(drafts.get('chat').text, 'Text');
      assert.deepEqual(heard, ['The disk is gone.', 'The disk is gone.', 'The disk is gone.']);
      write = () => Promise.resolve();
      drafts.typed('chat', 'Texts', { panel: 'view', number: 5 });
      await drafts.flush();
      assert.deepEqual(heard.slice(3), [null]);
    });
  });
});
