import assert from 'node:assert/strict';
import { namedPaths } from '../../../../src/host/chat/runs/stepWatch.js';

describe('the names in the arguments of tools', () => {
  it('are whole texts, then words', () => {
    const names = namedPaths([
      { path: 'my notes.md', more: [{ to: '/w/b.md' }], depth: 3, all: true },
      { command: 'echo "x y" >> out/c.md; rm d' },
    ]);
    assert.deepEqual(names.slice(0, 3), ['my notes.md', '/w/b.md', 'echo "x y" >> out/c.md; rm d']);
    assert.deepEqual(names.slice(3), ['my', 'notes.md', 'echo', 'x', 'y', 'out/c.md', 'rm', 'd']);
  });

  it('are no contents of files, and not many', () => {
    assert.deepEqual(namedPaths([{ content: 'x'.repeat(5_000) }]), []);
    assert.deepEqual(namedPaths([{ content: 'one\ntwo' }]), ['one', 'two']);
    const many = namedPaths([{ path: 'a.md', content: Array.from({ length: 500 }, (_, at) => `word${String(at)}`).join(' ') }]);
    assert.deepEqual([many.length, many[0]], [50, 'a.md']);
  });
});
