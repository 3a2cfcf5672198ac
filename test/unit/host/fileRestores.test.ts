import assert from 'node:assert/strict';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { FileRestores } from '../../../src/host/chat/files/fileRestores.js';
import { FileTexts } from '../../../src/host/chat/files/fileTexts.js';
import type { FileDifference } from '../../../src/host/tools/editDocuments.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import { columns } from '../../support/columns.js';
import { editLine, fileTextsOf, MemoryWriter, onlyEditFile } from '../../support/host/editFile.js';
import { messages } from '../../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../../support/host/window.js';

describe('files that a rewind can restore', () => {
  const windows = useWindows();
  let files: MemoryFiles;
  let writer: MemoryWriter;
  let window: Window;
  let session: ChatSession;
  let restores: FileRestores;
  let shown: FileDifference[];
  beforeEach(async () => {
    shown = [];
    files = new MemoryFiles();
    writer = new MemoryWriter(files);
    window = windows.open({ files, toolbox: onlyEditFile(files, writer) });
    session = await window.chats.create();
    restores = restoresOf(window);
  });

  const restoresOf = (shownIn: Window): FileRestores =>
    new FileRestores({
      open: shownIn.chats.open.bind(shownIn.chats),
      texts: fileTextsOf(shownIn, files),
      writer,
      showDifference: (difference) => Promise.resolve(void shown.push(difference)),
    });

  const users = (): string[] => messages(session.state).flatMap(({ role, id }) => (role === 'user' ? [id] : []));
  /** Has a tool edit `a.ts`. Returns the id of the user's message. */
  async function editedOnce(): Promise<string> {
    files.texts.set('a.ts', 'one\n');
    await session.conversation.send(editLine('a.ts', 'one', 'two'));
    return users()[0] ?? '';
  }
  const restorable = (messageId: string) => restores.restorable(session.id, messageId);

  it('are offered with what restoring does to them, and restored with deleted and new ones', async () => {
    files.texts.set('a.ts', 'one\ntwo\n');
    await session.conversation.send(editLine('a.ts', 'two', '2\n2'));
    await session.conversation.send(`${editLine('a.ts', 'one', '1')}\n${editLine('b.ts', '', 'new\n')}`);
    const [first = '', second = ''] = users();
    assert.deepEqual(await restorable(first), [
      { path: 'a.ts', action: 'write', problem: null, added: 2, removed: 3, isChangedSince: false },
      { path: 'b.ts', action: 'delete', problem: null, added: 0, removed: 1, isChangedSince: false },
    ]);
    assert.deepEqual(await (await restores.restorer(session.id, second, ['a.ts']))(), []);
    assert.deepEqual(
      [...files.texts],
      [
        ['a.ts', 'one\n2\n2\n'],
        ['b.ts', 'new\n'],
      ],
    );
    await (await restores.restorer(session.id, first, ['a.ts', 'b.ts', 'c.ts']))();
    assert.deepEqual([...files.texts], [['a.ts', 'one\ntwo\n']]);
    assert.deepEqual(await restorable(first), [], 'they are as they were');
  });

  it('are known after the chat was loaded anew', async () => {
    const first = await editedOnce();
    await window.chats.close();
    const later = windows.open({ files, writerId: 'later' });
    await (await restoresOf(later).restorer(session.id, first, ['a.ts']))();
    assert.equal(files.texts.get('a.ts'), 'one\n');
  });

  it('are made again where they are gone', async () => {
    const first = await editedOnce();
    files.texts.delete('a.ts');
    assert.deepEqual(columns(await restorable(first), 'action', 'isChangedSince'), [['make', true]]);
    await (await restores.restorer(session.id, first, ['a.ts']))();
    assert.equal(files.texts.get('a.ts'), 'one\n');
  });

  it('show what restoring would take back, with what the user has changed since', async () => {
    const first = await editedOnce();
    files.texts.set('a.ts', 'two\nmine\n');
    assert.equal((await restorable(first))[0]?.isChangedSince, true);
    await restores.show(session.id, first, 'a.ts');
    assert.deepEqual(shown, [{ path: 'a.ts', before: 'two\nmine\n', after: 'one\n', label: 'restore' }]);
    await assert.rejects(restores.show(session.id, first, 'b.ts'), /No tool wrote b\.ts after this message/);
  });

  it('are refused with the reason where they cannot be restored, and others are restored all the same', async () => {
    files.texts.set('a.ts', 'one\n');
    files.texts.set('b.ts', 'one\n');
    await session.conversation.send(`${editLine('a.ts', 'one', 'two')}\n${editLine('b.ts', 'one', 'two')}`);
    const [first = ''] = users();
    const run = session.state.timeline.findLast((item) => item.kind === 'run');
    const found = { before: null, after: 'x', added: null, removed: null, noCopy: 'notKnown', blob: null } as const;
    const edits = [{ ...found, path: 'c.bin' }];
    await session.record([{ type: 'round-edited', runId: run?.runId ?? '', messageId: 'm', edits }]);
    writer.readOnly = 'a.ts';
    const offered = await restorable(first);
    assert.deepEqual(columns(offered, 'action', 'problem'), [
      ['write', null],
      ['write', null],
      [null, 'Loupe has no earlier copy of c.bin: a tool changed the file before Loupe had read it.'],
    ]);
    assert.deepEqual(await (await restores.restorer(session.id, first, ['a.ts', 'b.ts', 'c.bin']))(), [
      'a.ts is read-only.',
      'Loupe has no earlier copy of c.bin: a tool changed the file before Loupe had read it.',
    ]);
    assert.equal(files.texts.get('b.ts'), 'one\n');
    await assert.rejects(restores.show(session.id, first, 'c.bin'), /no earlier copy/);
  });

  it('say when their copy is lost', async () => {
    const first = await editedOnce();
    const lost = new FileRestores({
      open: () => Promise.resolve(session),
      texts: new FileTexts({
        blobs: () => ({ get: () => Promise.reject(new Error('It is not there.')) }),
        files,
        sha256,
        logError: (error) => window.errors.push(error),
      }),
      writer,
      showDifference: () => Promise.resolve(),
    });
    assert.match((await lost.restorable(session.id, first))[0]?.problem ?? '', /^a\.ts: .*not there/s);
    assert.equal(window.errors.length, 1);
  });
});
