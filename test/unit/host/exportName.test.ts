import assert from 'node:assert/strict';
import { exportFormat, exportName } from '../../../src/host/transfer/exportContent.js';
import { writeError } from '../../../src/host/window/writeError.js';

describe('The file of an export', () => {
  it('has the format that its ending says, and is Markdown for any other', () => {
    assert.deepEqual(['/a/Tides.jsonl', '/a/TIDES.JSONL'].map(exportFormat), ['jsonLines', 'jsonLines']);
    assert.deepEqual(['/a/Tides.md', '/a/Tides', '/a.jsonl/Tides.txt', '/a/jsonl'].map(exportFormat), Array(4).fill('markdown'));
  });

  const NAMES: readonly (readonly [string, string])[] = [
    ['When is high tide?', 'When is high tide_.md'],
    ['/long 2', '_long 2.md'],
    ['a<b>c:d"e/f\\g|h?i*j', 'a_b_c_d_e_f_g_h_i_j.md'],
    ['../../etc', '_.._etc.md'],
    ['.hidden', 'hidden.md'],
    ['The end. . .', 'The end.md'],
    ['two\nlines and\ta tab\u0000', 'two_lines and_a tab_.md'],
    ['no\u00a0break  twice', 'no break twice.md'],
    ['seems \u202edm.exe', 'seems _dm.exe.md'],
    ['half \ud83d a pair', 'half _ a pair.md'],
    ['Gezeiten 潮 🌊', 'Gezeiten 潮 🌊.md'],
    ['con', '_con.md'],
    ['LPT1.txt', '_LPT1.txt.md'],
    ['Console', 'Console.md'],
    ['...', 'Chat.md'],
    ['', 'Chat.md'],
  ];
  for (const [title, name] of NAMES) {
    it(`is ${JSON.stringify(name)} for the chat ${JSON.stringify(title)}`, () => {
      assert.equal(exportName(title), name);
    });
  }

  it('has a name that file systems have room for, cut between characters', () => {
    const name = exportName('🌊'.repeat(300));
    assert.equal(name, `${'🌊'.repeat(50)}.md`);
    assert.equal(exportName(`${'x'.repeat(199)}é`), `${'x'.repeat(199)}.md`);
  });

  const FAILURES: readonly (readonly [string, string])[] = [
    ['Error: ENOSPC: no space left on device, write', 'the disk is full'],
    ["EACCES: permission denied, open '/a/b.md'", 'access was denied'],
    ['Error: ELOOP: too many symbolic links', 'ELOOP: too many symbolic links'],
    [
      "Unable to create folder '/a' that already exists but is not a directory",
      "Unable to create folder '/a' that already exists but is not a directory",
    ],
    ['The file is read-only.', 'The file is read-only'],
  ];
  for (const [said, reason] of FAILURES) {
    it(`that VS Code could not write because of ${JSON.stringify(said)} says so plainly`, () => {
      const cause = Object.assign(new Error(said), { code: 'Unknown' });
      const error = writeError('b.md', cause);
      assert.deepEqual([error.kind, error.message, error.cause], ['storage', `The export to b.md failed: ${reason}.`, cause]);
    });
  }
});
