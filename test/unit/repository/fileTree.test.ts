import assert from 'node:assert/strict';
import { fileTree } from '../../../src/engine/repository/fileTree.js';

const tree = (paths: readonly string[], most: number): string | null => fileTree(paths, most, (text) => text.length);

describe('the file tree of a workspace', () => {
  const PATHS = ['src/chat/fold.ts', 'src/chat/log.ts', 'README.md', 'src/main.ts', 'docs/a.md', 'package.json'];

  it('lists the files of each folder in one line, subfolders below', () => {
    assert.equal(
      tree(PATHS, 1_000),
      ['README.md, package.json', 'docs/', '  a.md', 'src/', '  main.ts', '  chat/', '    fold.ts, log.ts'].join('\n'),
    );
  });

  it('does not depend on the order of the paths', () => {
    assert.equal(tree(PATHS.toReversed(), 1_000), tree(PATHS, 1_000));
  });

  it('shows folders without room with the number of their files, deep folders first', () => {
    assert.equal(tree(PATHS, 90), ['README.md, package.json', 'docs/', '  a.md', 'src/', '  main.ts', '  chat/ (2 files)'].join('\n'));
    assert.equal(tree(PATHS, 60), ['README.md, package.json', 'docs/ (1 file)', 'src/ (3 files)'].join('\n'));
  });

  it('has at most the given tokens, with any room', () => {
    for (let most = 0; most < 160; most += 1) {
      const text = tree(PATHS, most);
      assert.ok(text === null || text.length <= most, `${String(most)}: ${String(text?.length)}`);
    }
  });

  it('joins folders that contain only a folder', () => {
    assert.equal(tree(['src/main/java/App.java', 'src/main/java/Log.java'], 1_000), ['src/main/java/', '  App.java, Log.java'].join('\n'));
  });

  it('shows at most 40 names of a folder, and how many more there are', () => {
    const paths = Array.from({ length: 45 }, (_, at) => `data/${String(at).padStart(2, '0')}.json`);
    const [, names] = (tree(paths, 10_000) ?? '').split('\n');
    assert.equal(names?.split(', ').slice(-2).join(), '39.json,… 5 more');
  });

  it('is empty without files, and null without room', () => {
    assert.equal(tree([], 10), '');
    assert.equal(tree(['README.md'], 3), null);
  });

  it('keeps files named like members of objects', () => {
    assert.equal(tree(['constructor', '__proto__/toString'], 100), ['constructor', '__proto__/', '  toString'].join('\n'));
  });
});
