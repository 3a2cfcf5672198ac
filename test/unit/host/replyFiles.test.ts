import assert from 'node:assert/strict';
import { lastRun } from '../../../src/engine/chat/branch.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { ReplyFiles } from '../../../src/host/chat/files/replyFiles.js';
import type { FileDifference } from '../../../src/host/tools/editDocuments.js';
import { editLine, fileTextsOf, MemoryWriter, onlyEditFile } from '../../support/host/editFile.js';
import { panelOf, type TestPanel } from '../../support/host/panel.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

describe('a file that a reply wrote', () => {
  const windows = useWindows();
  let files: MemoryFiles;
  let window: Window;
  let session: ChatSession;
  let replies: ReplyFiles;
  let shown: FileDifference[];
  beforeEach(async () => {
    shown = [];
    files = new MemoryFiles();
    const writer = new MemoryWriter(files);
    window = windows.open({ files, toolbox: onlyEditFile(files, writer) });
    session = await window.chats.create();
    replies = new ReplyFiles({
      open: window.chats.open.bind(window.chats),
      texts: fileTextsOf(window, files),
      writer,
      showDifference: (difference) => Promise.resolve(void shown.push(difference)),
    });
  });

  /** The ids of the messages with results of the last run, in order. */
  const rounds = (): string[] => [...new Set(lastRun(session.state)?.calls.flatMap(({ settledBy }) => settledBy ?? []))];
  const isUndone = (): number => lastRun(session.state)?.undone.length ?? 0;

  it('shows what that reply changed in it, also when a later one has changed it further', async () => {
    files.texts.set('a.ts', 'one\n');
    await session.conversation.send(`${editLine('a.ts', 'one', 'two')}\n${editLine('a.ts', 'two', 'three')}`);
    const [first = '', second = ''] = rounds();
    await replies.show(session.id, { messageId: first, path: 'a.ts' });
    await replies.show(session.id, { messageId: second, path: 'a.ts' });
    assert.deepEqual(shown, [
      { path: 'a.ts', before: 'one\n', after: 'two\n', label: 'changes by the assistant' },
      { path: 'a.ts', before: 'two\n', after: 'three\n', label: 'changes by the assistant' },
    ]);
    await assert.rejects(replies.show(session.id, { messageId: first, path: 'b.ts' }), /No tool wrote b\.ts/);
  });

  it('is put back alone, once, and the chat remembers it', async () => {
    files.texts.set('a.ts', 'one\n');
    await session.conversation.send(`${editLine('a.ts', 'one', 'two')}\n${editLine('b.ts', '', 'new\n')}`);
    const [first = '', second = ''] = rounds();
    await replies.undo(session.id, { messageId: first, path: 'a.ts' });
    assert.deepEqual([files.texts.get('a.ts'), files.texts.get('b.ts'), isUndone()], ['one\n', 'new\n', 1]);
    await replies.undo(session.id, { messageId: second, path: 'b.ts' });
    assert.deepEqual([...files.texts.keys()], ['a.ts']);
    await assert.rejects(replies.undo(session.id, { messageId: first, path: 'a.ts' }), /is already undone/);
    await window.chats.close();
    const later = await windows.open({ files, writerId: 'later' }).chats.open(session.id);
    assert.equal(lastRun(later.state)?.undone.length, 2);
  });

  it('is left alone where the user has changed it since, and that change is shown', async () => {
    files.texts.set('a.ts', 'one\n');
    await session.conversation.send(editLine('a.ts', 'one', 'two'));
    const [messageId = ''] = rounds();
    files.texts.set('a.ts', 'two\nmine\n');
    await assert.rejects(replies.undo(session.id, { messageId, path: 'a.ts' }), /a\.ts has changed since the assistant wrote it/);
    assert.deepEqual([files.texts.get('a.ts'), isUndone()], ['two\nmine\n', 0]);
    assert.deepEqual(shown, [{ path: 'a.ts', before: 'two\n', after: 'two\nmine\n', label: 'later changes' }]);
    files.texts.set('a.ts', 'one\n');
    await replies.undo(session.id, { messageId, path: 'a.ts' });
    assert.equal(isUndone(), 1, 'the user has put it back already');
  });

  it('cannot be undone while a reply is being written', async () => {
    files.texts.set('a.ts', 'one\n');
    await session.conversation.send(editLine('a.ts', 'one', 'two'));
    const [messageId = ''] = rounds();
    const running = session.conversation.send('/slow');
    await assert.rejects(replies.undo(session.id, { messageId, path: 'a.ts' }), /The model is writing a reply/);
    await session.conversation.stop();
    await running;
  });

  describe('in the panel', () => {
    let panel: TestPanel;
    beforeEach(async () => {
      panel = await panelOf(window, session.id);
    });
    const rows = (): unknown[] =>
      panel.webview.state.entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.files : [])).map((file) => ({ ...file }));

    it('has its lines and what became of it; an edit that was not made says why, and shows what it was to change', async () => {
      files.texts.set('a.ts', 'one\ntwo\n');
      await session.conversation.send(
        [editLine('a.ts', 'two', '2\n2'), editLine('a.ts', 'two', '3'), editLine('../b.ts', 'x', 'y'), editLine('c.ts', 'x', 'y')].join(
          '\n',
        ),
      );
      panel.panel.channel.delta();
      const [messageId = ''] = rounds();
      const calls = lastRun(session.state)?.calls ?? [];
      assert.deepEqual(rows(), [
        { kind: 'written', path: 'a.ts', added: 2, removed: 1, state: 'applied', messageId, hasEarlier: true },
        { kind: 'unapplied', path: 'a.ts', why: 'changed', callId: calls[1]?.callId },
        { kind: 'unapplied', path: '../b.ts', why: 'outside', callId: calls[2]?.callId },
        { kind: 'unapplied', path: 'c.ts', why: 'gone', callId: calls[3]?.callId },
      ]);
      await replies.showUnapplied(session.id, calls[1]?.callId ?? '');
      assert.deepEqual(shown, [{ path: 'a.ts', before: 'two', after: '3', label: 'edit that was not applied' }]);
      await replies.undo(session.id, { messageId, path: 'a.ts' });
      panel.panel.channel.delta();
      assert.equal((rows()[0] as { readonly state: string }).state, 'undone');
    });
  });
});
