import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LoupeError } from '../../src/engine/errors.js';
import { changedContent, fenceChange } from '../../src/engine/context/fileChange.js';
import { fenceFile, fenceFirstLines, NO_FINAL_NEWLINE, unfenced } from '../../src/engine/context/fence.js';
import { TEXT_DIFFERENCES } from '../../src/host/request/compose/textDifferences.js';
import { normalizePath } from '../../src/engine/context/paths.js';
import { depth } from '../support/depth.mjs';
import { forAll, inRuns } from '../support/forAll.js';

const pathText = fc.string({ unit: fc.constantFrom('a', 'B', '.', '/', '\\', ':', ' ', '`', '~', '\n', 'é') });
const content = fc.string({ unit: fc.constantFrom('`', '`', '~', '\n', '\r', ' ', 'x', '\u200B') });

/** Null when refused. */
function normalized(path: string): string | null {
  try {
    return normalizePath(path);
  } catch (error) {
    assert.ok(error instanceof LoupeError && error.kind === 'invalidInput');
    return null;
  }
}

/** Reads a fenced file by the rules of CommonMark, independently of `fenceFile`. */
function readBack(text: string): { content: string; rest: string } {
  const lines = text.split('\n');
  const open = /^(`{3,})[^`]*$/.exec(lines[1] ?? '');
  assert.ok(open?.[1] !== undefined, 'the second line opens the fence');
  const close = new RegExp(`^ {0,3}\`{${String(open[1].length)},}[ \\t]*\\r?$`);
  const end = lines.findIndex((line, index) => index > 1 && close.test(line));
  assert.notEqual(end, -1, 'the fence closes');
  return {
    content: lines
      .slice(2, end)
      .map((line) => `${line}\n`)
      .join(''),
    rest: lines.slice(end + 1).join('\n'),
  };
}

describe('properties of file context', () => {
  it('normalization is idempotent', () => {
    forAll(pathText, (path) => {
      const once = normalized(path);
      assert.ok(once === null || normalizePath(once) === once);
    });
  });

  it('a normalized path has no empty, "." or ".." segment and no backslash', () => {
    forAll(pathText, (path) => {
      const segments = normalized(path)?.split('/') ?? ['refused'];
      assert.ok(segments.every((segment) => !['', '.', '..'].includes(segment) && !segment.includes('\\')));
    });
  });

  it('a fence never closes early: what stands in it is the file, to the last newline', () => {
    inRuns(depth({ short: 150, deep: 2_500 })).forAll(pathText, content, (path, text) => {
      const back = readBack(fenceFile(normalized(path) ?? 'a.ts', text));
      const complete = text === '' || text.endsWith('\n');
      assert.equal(back.rest, complete ? '' : NO_FINAL_NEWLINE);
      assert.equal(complete ? back.content : back.content.slice(0, -1), text);
    });
  });

  it('what was fenced is read back as it was, and a part of a file is not taken for one', () => {
    inRuns(depth({ short: 150, deep: 2_500 })).forAll(pathText, content, (path, text) => {
      const name = normalized(path) ?? 'a.ts';
      assert.equal(unfenced(fenceFile(name, text)), text);
      assert.equal(unfenced(fenceFirstLines(name, text, 1)), null);
    });
  });

  it('a change leads from the one content to the other', () => {
    inRuns(depth({ short: 300, deep: 5_000 })).forAll(pathText, content, content, (path, before, after) => {
      const change = fenceChange(normalized(path) ?? 'a.ts', [before, after], TEXT_DIFFERENCES);
      assert.ok(change !== null);
      assert.equal(changedContent(change, before, TEXT_DIFFERENCES), after);
    });
  });
});
