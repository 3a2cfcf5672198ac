import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import { normalizePath } from '../../../src/engine/context/paths.js';

describe('normalizePath', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['src/a.ts', 'src/a.ts'],
    ['src\\sub\\a.ts', 'src/sub/a.ts'],
    ['/src/a.ts', 'src/a.ts'],
    ['src/sub/', 'src/sub'],
    ['./src/./a.ts', 'src/a.ts'],
    ['src//a.ts', 'src/a.ts'],
    ['..a/b..c/d...ts', '..a/b..c/d...ts'],
    [' spaced name.ts', ' spaced name.ts'],
    ['ab:b/c.ts', 'ab:b/c.ts'],
  ];
  for (const [path, expected] of spellings) {
    it(`spells ${JSON.stringify(path)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(normalizePath(path), expected);
    });
  }

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['a leading ..', '../secret', /"\.\."/],
    ['a .. in the middle', 'src/../../secret', /"\.\."/],
    ['a .. behind a backslash', 'src\\..\\secret', /"\.\."/],
    ['an empty path', '', /does not name a file/],
    ['a path of slashes and dots only', '/./', /does not name a file/],
    ['a NUL', 'a\0.ts', /NUL/],
    ['an absolute Windows path', 'C:\\Users\\a.ts', /drive/],
    ['a Windows drive behind a slash', '/c:/a.ts', /drive/],
    ['a path relative to a drive', 'C:a.ts', /drive/],
  ];
  for (const [what, path, words] of refused) {
    it(`refuses ${what} with a reason in words`, () => {
      assert.throws(
        () => normalizePath(path),
        (error) => error instanceof LoupeError && error.kind === 'invalidInput' && words.test(error.message),
      );
    });
  }
});
