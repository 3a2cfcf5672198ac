import assert from 'node:assert/strict';
import { addContent } from '../../../src/engine/context/fileContents.js';

describe('The files in a conversation', () => {
  it('are named by their normalized path, whatever its spelling', () => {
    const files = new Map<string, string>();
    assert.equal(addContent(files, './src\\a.ts', 'a'), null);
    assert.equal(addContent(files, '/src//b.ts', 'b'), null);
    assert.deepEqual(
      [...files],
      [
        ['src/a.ts', 'a'],
        ['src/b.ts', 'b'],
      ],
    );
  });

  it('get new content when they are added again', () => {
    const files = new Map([['a.ts', 'old']]);
    assert.equal(addContent(files, './a.ts', 'new'), null);
    assert.deepEqual([...files], [['a.ts', 'new']]);
  });

  it('are no binary files', () => {
    const files = new Map<string, string>();
    assert.deepEqual(addContent(files, 'a.bin', 'a\0b'), { code: 'binary' });
    assert.equal(files.size, 0);
  });

  it('are inside the workspace', () => {
    const files = new Map<string, string>();
    const problem = addContent(files, 'src/../../a.ts', '');
    assert.ok(problem?.code === 'invalidPath');
    assert.match(problem.text, /inside the workspace/);
    assert.equal(files.size, 0);
  });
});
