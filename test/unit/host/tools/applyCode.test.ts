import assert from 'node:assert/strict';
import type { FileWrite, FileWriter } from '../../../../src/host/context/files/fileWriter.js';
import { WorkspaceFiles } from '../../../../src/host/context/files/workspaceFiles.js';
import { applyCode, type CodeChange, withCode } from '../../../../src/host/tools/workspace/applyCode.js';
import { UTF8_EDITOR } from '../../../support/utf8Editor.js';
import { useTemporaryFolder } from '../../files/temporaryFolder.js';

describe('code of a reply in its file', () => {
  const FILE = 'import a from "a";\n\nfunction one() {\n  return 1;\n} // one\n\nexport { one };\n';

  it('replaces the lines between its first and its last line', () => {
    const code = 'function one() {\n  const x = 1;\n  return x;\n} // one';
    assert.deepEqual(withCode(FILE, code), {
      text: 'import a from "a";\n\nfunction one() {\n  const x = 1;\n  return x;\n} // one\n\nexport { one };\n',
      place: 'lines 3 to 5',
    });
  });

  it('keeps the line ends of the file', () => {
    const { text } = withCode(FILE.replaceAll('\n', '\r\n'), '\nfunction one() {\n  return 2;\n} // one\n');
    assert.equal(text, FILE.replace('return 1', 'return 2').replaceAll('\n', '\r\n'));
    assert.equal(withCode('a\r\nb\r\n', 'c\nd').text, 'c\r\nd\r\n');
  });

  it('replaces the whole file when one of these lines is missing, repeated or in the other order', () => {
    for (const code of ['function two() {\n}', '  return 1;\n}', '\nexport { one };\nimport a from "a";']) {
      assert.deepEqual(withCode(`${FILE}}\n}\n`, code), { text: `${code}\n`, place: 'whole file' }, code);
    }
  });

  it('is a new file when there is none', () => {
    assert.deepEqual(withCode(null, 'a\nb'), { text: 'a\nb\n', place: 'new file' });
  });
});

describe('Apply', () => {
  const folder = useTemporaryFolder();
  let asked: CodeChange[];
  let written: FileWrite[];
  let answers: { write: boolean; undo: boolean };
  beforeEach(() => {
    [asked, written, answers] = [[], [], { write: true, undo: false }];
  });

  async function apply(path: string, text: string): Promise<void> {
    const writer: FileWriter = {
      write(change) {
        written.push(change);
        return Promise.resolve({ ok: true, hadUnsaved: false });
      },
    };
    await applyCode(
      { path, text },
      {
        files: new WorkspaceFiles([folder.path], UTF8_EDITOR),
        writer,
        show: () => Promise.resolve(),
        confirm(change) {
          asked.push(change);
          return Promise.resolve(answers.write);
        },
        offerUndo: () => Promise.resolve(answers.undo),
      },
    );
  }

  it('asks with the size of the change, writes it, and undoes it', async () => {
    folder.write('src/a.ts', 'one\ntwo\nthree\n');
    answers.undo = true;
    await apply('./src/a.ts', 'one\n2\n2.5\nthree');
    assert.deepEqual(asked, [{ path: 'src/a.ts', place: 'lines 1 to 3', added: 2, removed: 1 }]);
    const [before, after] = ['one\ntwo\nthree\n', 'one\n2\n2.5\nthree\n'];
    assert.deepEqual(written, [
      { path: 'src/a.ts', before, after },
      { path: 'src/a.ts', before: after, after: before },
    ]);
  });

  it('makes a new file, which Undo deletes', async () => {
    answers.undo = true;
    await apply('src/new.ts', 'a');
    assert.deepEqual(written, [
      { path: 'src/new.ts', before: null, after: 'a\n' },
      { path: 'src/new.ts', before: 'a\n', after: null },
    ]);
  });

  it('writes nothing unless the user confirms it', async () => {
    answers.write = false;
    await apply('src/new.ts', 'a');
    assert.deepEqual(written, []);
  });

  it('refuses paths outside the workspace, notebooks, binary files and code that is there already', async () => {
    folder.write('n.ipynb', '{}');
    folder.write('b.bin', 'a\0b');
    folder.write('same.ts', 'a\n');
    for (const [path, reason] of [
      ['../a.ts', /not in the workspace/],
      ['n.ipynb', /notebook/],
      ['b.bin', /b\.bin/],
      ['same.ts', /already contains this code/],
    ] as const) {
      await assert.rejects(apply(path, 'a'), reason, path);
    }
    assert.deepEqual([asked, written], [[], []]);
  });
});
