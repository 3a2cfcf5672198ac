import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/engine/json.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { changedLines, lineChanges } from '../../../../src/host/tools/workspace/lineChanges.js';
import { editFileTool } from '../../../../src/host/tools/workspace/editFile.js';
import type { FileWriter } from '../../../../src/host/context/files/fileWriter.js';
import { previewEdit } from '../../../../src/host/tools/workspace/previewEdit.js';
import { sha256 } from '../../../../src/host/window/systemPorts.js';
import { UNSTOPPED, answer, textOf } from '../../../support/host/ownTools.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';
import { longestWork } from '../../../support/longestWork.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';

describe('edit_file', () => {
  const folder = useTemporaryFolder();
  let files: WorkspaceFiles;
  let onWrite: () => Promise<void>;
  let writer: FileWriter;
  beforeEach(() => {
    files = new WorkspaceFiles([folder.path], UTF8_EDITOR);
    onWrite = () => Promise.resolve();
    writer = {
      async write({ path, after }) {
        await onWrite();
        const place = folder.at(path);
        await (after === null ? rm(place) : writeFile(place, after));
        return { ok: true, hadUnsaved: false };
      },
    };
  });

  const tool = () => editFileTool({ files, writer, sha256 });
  const args = (path: string, oldText: string, newText: string): JsonObject => ({ path, old_text: oldText, new_text: newText });
  const edit = (path: string, oldText: string, newText: string): Promise<string> => answer(tool(), args(path, oldText, newText));
  const text = (path: string): Promise<string> => readFile(join(folder.path, path), 'utf8');

  it('replaces the only place where the text stands, and tells the lines', async () => {
    folder.write('src/a.ts', 'one\ntwo\nthree\n');
    const outcome = await tool().run(args('./src//a.ts', 'two\n', 'TWO\n2\n'), UNSTOPPED);
    assert.equal(textOf(outcome), 'Edited src/a.ts (+2 -1 lines).');
    assert.equal(await text('src/a.ts'), 'one\nTWO\n2\nthree\n');
    const [made] = outcome.edits;
    assert.deepEqual(made, {
      path: 'src/a.ts',
      before: sha256('one\ntwo\nthree\n'),
      after: sha256('one\nTWO\n2\nthree\n'),
      added: 2,
      removed: 1,
      noCopy: null,
      earlier: new TextEncoder().encode('one\ntwo\nthree\n'),
    });
  });

  it('takes the new text as it is, dollar signs included', async () => {
    folder.write('a.sh', 'echo x\n');
    await edit('a.sh', 'x', "$& $1 $$ $'");
    assert.equal(await text('a.sh'), "echo $& $1 $$ $'\n");
  });

  it('makes a new file from an empty old text, and none over one that is there', async () => {
    const outcome = await tool().run(args('new/a.ts', '', 'one\n'), UNSTOPPED);
    assert.deepEqual(
      [textOf(outcome), outcome.edits.map(({ before, earlier, noCopy }) => [before, earlier, noCopy])],
      ['Made new/a.ts (+1 -0 lines).', [[null, null, null]]],
    );
    assert.match(await edit('new/a.ts', '', 'two\n'), /^Error: Nothing was changed\. new\/a\.ts is there already/);
    folder.write('empty.ts', '');
    assert.equal(await edit('empty.ts', '', 'one\n'), 'Edited empty.ts (+1 -0 lines).');
  });

  it('keeps the line ends of the file', async () => {
    folder.write('a.ts', 'one\r\ntwo\r\nthree\r\n');
    assert.equal(await edit('a.ts', 'one\ntwo\n', '1\n2\n'), 'Edited a.ts (+2 -2 lines).');
    assert.equal(await text('a.ts'), '1\r\n2\r\nthree\r\n');
  });

  it('does not edit a notebook, because its text is not the JSON in the file', async () => {
    const notebook = JSON.stringify({ cells: [{ cell_type: 'code', source: 'plot(heights)' }] });
    folder.write('week.ipynb', notebook);
    const refused = 'Nothing was changed. week.ipynb is a notebook. edit_file cannot edit notebooks.';
    assert.equal(await edit('week.ipynb', 'plot(heights)', 'plot(heights)\nshow()'), `Error: ${refused}`);
    assert.equal(await text('week.ipynb'), notebook);
    folder.write('plain.ipynb', 'not a notebook');
    assert.match(await edit('plain.ipynb', 'not a', 'no'), /^Edited plain\.ipynb/);
  });

  it('tells the model why it changed nothing', async () => {
    folder.write('a.ts', 'one\ntwo\none\n');
    const refused = async (...given: [string, string, string]): Promise<string> => {
      const before = await text('a.ts');
      const said = await edit(...given);
      assert.equal(await text('a.ts'), before);
      assert.match(said, /^Error: Nothing was changed\. /);
      return said;
    };
    assert.match(await refused('a.ts', 'four', 'x'), /a\.ts does not have old_text: it has changed since it was read/);
    assert.match(await refused('a.ts', 'one', 'x'), /a\.ts has old_text more than once, at lines 1 and 3\./);
    assert.match(await refused('a.ts', 'two', 'two'), /stays as it is/);
    assert.match(await refused('a.ts', 'two', 'x\uD83D'), /new_text: The text has half of a character \(U\+D83D\)/);
    assert.match(await refused('b.ts', 'two', 'x'), /b\.ts does not exist\. To make it, leave old_text empty\.$/);
    assert.match(await refused('../b.ts', '', 'x'), /path: .*inside the workspace/);
    assert.match(await refused('/tmp/b.ts', '', 'x'), /not an absolute one/);
    symlinkSync('/tmp', folder.at('out'));
    assert.match(await refused('out/b.ts', '', 'x'), /out\/b\.ts links to a place outside the workspace\.$/);
    writer = { write: ({ path }) => Promise.resolve({ ok: false, reason: `${path} cannot be saved.`, isInEditor: false }) };
    assert.match(await refused('a.ts', 'two', 'x'), /a\.ts cannot be saved\.$/);
  });

  it('does not say that nothing was changed where the editor has the edit', async () => {
    folder.write('a.ts', 'one\n');
    writer = {
      write: () => Promise.resolve({ ok: false, reason: 'a.ts is edited in its editor, but it is not saved.', isInEditor: true }),
    };
    const outcome = await tool().run(args('a.ts', 'one', 'two'), UNSTOPPED);
    assert.equal(textOf(outcome), 'a.ts is edited in its editor, but it is not saved. Do not make the edit again.');
    assert.deepEqual([outcome.isError, outcome.edits, outcome.unapplied], [true, [], { path: 'a.ts', why: 'notSaved' }]);
  });

  it('finds texts that overlap each other more than once', async () => {
    folder.write('a.ts', 'aaa');
    assert.match(await edit('a.ts', 'aa', 'b'), /more than once/);
  });

  it('edits one file by parallel calls one after the other', async () => {
    folder.write('a.ts', '1 2 3');
    const one = tool();
    const answers = await Promise.all(['1', '2', '3'].map((digit) => answer(one, args('a.ts', digit, `<${digit}>`))));
    assert.deepEqual([answers.every((said) => said.startsWith('Edited')), await text('a.ts')], [true, '<1> <2> <3>']);
  });

  it('does not begin once the call is stopped', async () => {
    folder.write('a.ts', '1');
    const stop = new AbortController();
    const one = tool();
    onWrite = () => {
      stop.abort();
      return Promise.resolve();
    };
    const first = one.run(args('a.ts', '1', '2'), UNSTOPPED);
    const second = one.run(args('a.ts', '2', '3'), { ...UNSTOPPED, signal: stop.signal });
    await assert.rejects(second, { name: 'AbortError' });
    await first;
    assert.equal(await text('a.ts'), '2');
  });

  it('says when saving changed the file further', async () => {
    folder.write('a.ts', 'one');
    const plain = writer;
    writer = { write: (change) => plain.write({ ...change, after: `${change.after ?? ''};` }) };
    assert.match(await edit('a.ts', 'one', 'two'), /^Edited a\.ts .* Saving it changed it further: read it before the next edit\.$/);
  });

  describe('before it runs', () => {
    it('shows what it would make of the file as it is now', async () => {
      folder.write('a.ts', 'one\ntwo\n');
      assert.deepEqual(await previewEdit(args('a.ts', 'two', '2'), files), {
        ok: true,
        path: 'a.ts',
        before: 'one\ntwo\n',
        after: 'one\n2\n',
        added: 1,
        removed: 1,
      });
      const made = { ok: true, path: 'b.ts', before: null, after: 'x\n', added: 1, removed: 0 };
      assert.deepEqual(await previewEdit(args('b.ts', '', 'x\n'), files), made);
      assert.equal(await text('a.ts'), 'one\ntwo\n');
    });

    it('says why it could not be applied', async () => {
      folder.write('a.ts', 'one\n');
      const refusal = async (given: JsonObject): Promise<string> => {
        const preview = await previewEdit(given, files);
        return preview.ok ? assert.fail('It is not refused.') : preview.reason;
      };
      assert.match(await refusal(args('a.ts', 'two', '2')), /^a\.ts does not have old_text/);
      assert.match(await refusal({ path: 'a.ts' }), /^The arguments do not fit the tool\. old_text/);
    });
  });

  it('replaces only the lines that differ', () => {
    const changed = (before: string, after: string): string => {
      const { start, end, text: put } = changedLines(before, after);
      assert.equal(before.slice(0, start) + put + before.slice(end), after);
      return before.slice(start, end);
    };
    assert.equal(changed('a\nb\nc\n', 'a\nB\nc\n'), 'b\n');
    assert.equal(changed('a\nb\nc', 'a\nb\nd'), 'c');
    assert.equal(changed('a\n', 'a\na\n'), '');
    assert.equal(changed('a\na\n', 'a\n'), 'a\n');
    assert.equal(changed('', 'a'), '');
    assert.equal(changed('a', ''), 'a');
    assert.equal(changed('a\r\nb\r\n', 'a\r\nc\r\n'), 'b\r\n');
    assert.equal(changed('same', 'same'), 'same');
  });
});

describe('the lines that a change adds and removes', () => {
  const counts = (before: string | null, after: string | null): number[] => {
    const { added, removed } = lineChanges(before, after);
    return [added, removed];
  };

  it('are those that differ, wherever they stand', () => {
    assert.deepEqual(counts('a\nb\nc\nd\n', 'A\nb\nc\nD\n'), [2, 2]);
    assert.deepEqual(counts('a\nb\n', 'a\nb\nc\n'), [1, 0]);
    assert.deepEqual(counts('a\nb', 'a\nb\n'), [1, 1], 'a last line without its end is another one');
    assert.deepEqual(counts('a\n', 'a\n'), [0, 0]);
  });

  it('are all lines of a file that is made or deleted', () => {
    assert.deepEqual(counts(null, 'a\nb\n'), [2, 0]);
    assert.deepEqual(counts('a\nb', null), [0, 2]);
    assert.deepEqual(counts(null, ''), [0, 0]);
  });

  it('are counted without a stall, whatever the texts are', async () => {
    const lines = (word: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${word} of a text, number ${String(index)}\n`).join('');
    const [before, after] = [lines('Line'), lines('Other line')];
    const longest = await longestWork(async () => {
      await Promise.resolve();
      assert.deepEqual(counts(`same\n${before}`, `same\n${after}`), [20_000, 20_000]);
    });
    // 30 ms. The rest is for a busy computer.
    assert.ok(longest < 250, `${String(longest)} ms`);
  });
});
