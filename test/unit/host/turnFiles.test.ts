import assert from 'node:assert/strict';
import { messagesOf } from '../../../src/engine/chat/timeline.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { TurnFiles } from '../../../src/host/chat/files/turnFiles.js';
import type { FileDifference } from '../../../src/host/tools/editDocuments.js';
import { until } from '../../support/host/clocks.js';
import { editLine, fileTextsOf, MemoryWriter, onlyEditFile } from '../../support/host/editFile.js';
import { MemoryFiles, useWindows } from '../../support/host/window.js';

describe('the files that the tools of a turn wrote', () => {
  const windows = useWindows();
  let files: MemoryFiles;
  let session: ChatSession;
  let turns: TurnFiles;
  let shown: FileDifference[];
  let asked: { readonly paths: readonly string[]; readonly others: number }[];
  let answer: 'all' | 'unchanged' | null;
  let offers: readonly string[][];
  let redoes: boolean;
  let failures: unknown[];
  let writer: MemoryWriter;

  beforeEach(async () => {
    [files, shown, asked, answer, offers, redoes, failures] = [new MemoryFiles(), [], [], null, [], false, []];
    writer = new MemoryWriter(files);
    const window = windows.open({ files, toolbox: onlyEditFile(files, writer) });
    session = await window.chats.create();
    turns = new TurnFiles({
      open: window.chats.open.bind(window.chats),
      texts: fileTextsOf(window, files),
      writer,
      showDifference: (difference) => Promise.resolve(void shown.push(difference)),
      showDifferences: (differences) => Promise.resolve(void shown.push(...differences)),
      askChanged: (paths, others) => {
        asked.push({ paths, others });
        return Promise.resolve(answer);
      },
      offerRedo: (paths) => {
        offers = [...offers, [...paths]];
        return Promise.resolve(redoes);
      },
      failed: (thrown) => void failures.push(thrown),
    });
  });

  /** The ids of the user's messages. */
  const asks = (): string[] => messagesOf(session.state.timeline).flatMap((message) => (message.role === 'user' ? [message.id] : []));
  const undone = (): number => [...session.state.runs.values()].reduce((sum, run) => sum + run.undone.length, 0);
  const texts = (): unknown => Object.fromEntries(files.texts);

  /** A turn that writes a.ts twice and makes b.ts, and a later turn that makes c.ts. */
  async function twoTurns(): Promise<string> {
    files.texts.set('a.ts', 'one\n');
    await session.conversation.send(
      [editLine('a.ts', 'one', 'two'), editLine('b.ts', '', 'new\n'), editLine('a.ts', 'two', 'three')].join('\n'),
    );
    await session.conversation.send(editLine('c.ts', '', 'later\n'));
    return asks()[0] ?? '';
  }

  it('are all put back, without those of later turns, and the chat remembers it', async () => {
    const turn = await twoTurns();
    await turns.undo(session.id, turn);
    assert.deepEqual(texts(), { 'a.ts': 'one\n', 'c.ts': 'later\n' });
    assert.deepEqual([undone(), asked, offers], [3, [], [['a.ts', 'b.ts']]]);
    await turns.undo(session.id, turn);
    assert.deepEqual([undone(), offers.length], [3, 1], 'there is nothing left to undo');
  });

  it('are written again when the user redoes what was undone', async () => {
    const turn = await twoTurns();
    redoes = true;
    await turns.undo(session.id, turn);
    await until(() => undone() === 0, 'the edits are redone');
    assert.deepEqual(texts(), { 'a.ts': 'three\n', 'b.ts': 'new\n', 'c.ts': 'later\n' });
    assert.deepEqual(failures, []);
  });

  it('are undone in spite of later changes only after a question, or without the changed files', async () => {
    const turn = await twoTurns();
    files.texts.set('a.ts', 'three\nmine\n');
    await turns.undo(session.id, turn);
    assert.deepEqual(asked, [{ paths: ['a.ts'], others: 1 }]);
    assert.deepEqual([undone(), files.texts.get('b.ts')], [0, 'new\n'], 'the user has cancelled');
    answer = 'unchanged';
    await turns.undo(session.id, turn);
    assert.deepEqual(texts(), { 'a.ts': 'three\nmine\n', 'c.ts': 'later\n' });
    answer = 'all';
    await turns.undo(session.id, turn);
    assert.deepEqual(texts(), { 'a.ts': 'one\n', 'c.ts': 'later\n' });
    assert.equal(undone(), 3);
  });

  it('that cannot be written are named, and the others are put back', async () => {
    const turn = await twoTurns();
    writer.readOnly = 'a.ts';
    await assert.rejects(turns.undo(session.id, turn), /a\.ts is read-only\./);
    assert.deepEqual(texts(), { 'a.ts': 'three\n', 'c.ts': 'later\n' });
    assert.equal(undone(), 1);
  });

  it('are not undone while a reply is being written', async () => {
    const turn = await twoTurns();
    const running = session.conversation.send('/slow');
    await assert.rejects(turns.undo(session.id, turn), /The model is writing a reply/);
    await session.conversation.stop();
    await running;
  });

  it('are shown together, each from before the turn to after it', async () => {
    const turn = await twoTurns();
    await turns.show(session.id, turn);
    assert.deepEqual(shown, [
      { path: 'a.ts', before: 'one\n', after: 'three\n', label: 'changes by the assistant' },
      { path: 'b.ts', before: null, after: 'new\n', label: 'changes by the assistant' },
    ]);
    shown = [];
    files.texts.set('c.ts', 'later\nmine\n');
    await turns.show(session.id, asks()[1] ?? '');
    assert.deepEqual(shown, [{ path: 'c.ts', before: null, after: 'later\n', label: 'changes by the assistant' }]);
  });
});
