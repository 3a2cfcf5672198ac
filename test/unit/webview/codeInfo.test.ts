import assert from 'node:assert/strict';
import { codeInfo } from '../../../webview/shared/markdown/codeInfo.js';

describe('The info string of a fence', () => {
  it('names a language and a file', () => {
    for (const [info, language, path] of [
      ['', '', null],
      ['ts', 'ts', null],
      ['ts src/heap.ts', 'ts', 'src/heap.ts'],
      ['ts:src/heap.ts', 'ts', 'src/heap.ts'],
      ['src/heap.ts', 'ts', 'src/heap.ts'],
      ['ts title="src/heap.ts"', 'ts', 'src/heap.ts'],
      ['python {file=tools/run.py}', 'python', 'tools/run.py'],
      ['12:40:src/heap.ts', 'ts', 'src/heap.ts'],
    ] as const) {
      assert.deepEqual(codeInfo(info), { language, path }, info);
    }
  });

  it('names no file outside the workspace, and none where the words only look like one', () => {
    for (const info of ['ts /etc/passwd', 'ts ../a.ts', 'ts https://e.org/a.ts', 'python 3.12', 'js {1,3}', 'c++ showLineNumbers']) {
      assert.equal(codeInfo(info).path, null, info);
    }
  });
});
