import assert from 'node:assert/strict';
import { fenceFile, fenceFor, languageOf } from '../../../src/engine/context/fence.js';

describe('fenceFile', () => {
  it('writes the path, then the content in a fence with the language', () => {
    assert.equal(fenceFile('src/a.ts', 'const a = 1;\n'), 'src/a.ts\n```ts\nconst a = 1;\n```');
  });

  it('makes the fence longer than any run of backticks in the content', () => {
    assert.equal(fenceFile('a.md', '````\ncode\n````\n'), 'a.md\n`````md\n````\ncode\n````\n`````');
  });

  it('says that the last newline is missing, so that both contents stay apart', () => {
    assert.equal(fenceFile('a.txt', 'end'), 'a.txt\n```txt\nend\n```\n\\ No newline at end of file');
    assert.equal(fenceFile('a.txt', 'end\n'), 'a.txt\n```txt\nend\n```');
  });

  it('shows an empty file as an empty block, apart from one empty line', () => {
    assert.equal(fenceFile('a.txt', ''), 'a.txt\n```txt\n```');
    assert.equal(fenceFile('a.txt', '\n'), 'a.txt\n```txt\n\n```');
  });

  it('keeps carriage returns and hidden characters as they are', () => {
    assert.equal(fenceFile('a.txt', 'a\r\n\u202Eb\u200B\r\n'), 'a.txt\n```txt\na\r\n\u202Eb\u200B\r\n```');
  });

  for (const path of ['```.ts', '~~~', 'a\nb.ts', 'a\r```\nb']) {
    it(`escapes the path ${JSON.stringify(path)}, which would break its line or open a fence`, () => {
      const [first] = fenceFile(path, '').split('\n');
      assert.equal(first, JSON.stringify(path));
    });
  }
});

describe('fenceFor', () => {
  it('has at least three backticks', () => {
    assert.equal(fenceFor('no code'), '```');
    assert.equal(fenceFor('`a` ``b``'), '```');
  });

  it('has one more than the longest run', () => {
    assert.equal(fenceFor('``` and `````'), '``````');
  });
});

describe('languageOf', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['src/a.py', 'py'],
    ['src/A.TS', 'ts'],
    ['a.config.mjs', 'js'],
    ['a.yml', 'yaml'],
    ['docker/Dockerfile', 'dockerfile'],
    ['Makefile', 'makefile'],
    ['README', ''],
    ['.gitignore', ''],
    ['folder.d/file', ''],
    ['a.b c', ''],
    ['a.t`s', ''],
    ['x.constructor', 'constructor'],
  ];
  for (const [path, language] of cases) {
    it(`of ${path} is ${JSON.stringify(language)}`, () => {
      assert.equal(languageOf(path), language);
    });
  }
});
