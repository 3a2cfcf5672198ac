import assert from 'node:assert/strict';
import { pickRows } from '../../../src/host/context/pickRows.js';

describe('What can be added to a chat', () => {
  it('is what is open, the selection, then the other files and their folders, as people count', () => {
    const rows = pickRows({
      open: ['src/b.ts', 'a.md'],
      selection: 'src/b.ts:3-6',
      files: ['src/part-10.ts', 'src/b.ts', 'a.md', 'src/part-2.ts', 'docs/deep/x.md'],
    });
    assert.deepEqual(rows, [
      { type: 'heading', label: 'Open editors' },
      { type: 'file', path: 'src/b.ts' },
      { type: 'file', path: 'a.md' },
      { type: 'heading', label: 'Selection' },
      { type: 'selection', path: 'src/b.ts:3-6' },
      { type: 'heading', label: 'Files' },
      { type: 'file', path: 'docs/deep/x.md' },
      { type: 'file', path: 'src/part-2.ts' },
      { type: 'file', path: 'src/part-10.ts' },
      { type: 'heading', label: 'Folders' },
      { type: 'folder', path: 'docs', files: 1 },
      { type: 'folder', path: 'docs/deep', files: 1 },
      { type: 'folder', path: 'src', files: 3 },
    ]);
  });

  it('is no file that is never text, and no empty section', () => {
    const rows = pickRows({ open: [], selection: null, files: ['pic.png', 'read.me'] });
    const paths = rows.map((row) => ('path' in row ? row.path : row.type));
    assert.deepEqual(paths, ['heading', 'read.me']);
  });
});
