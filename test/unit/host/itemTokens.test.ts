import assert from 'node:assert/strict';
import type { FileRead } from '../../../src/engine/context/fileContents.js';
import { fenceFile } from '../../../src/engine/context/fence.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { FileTokens } from '../../../src/host/context/itemTokens.js';
import { PickedSizes } from '../../../src/host/context/pickedSizes.js';

const CONTENT = 'export const height = 1;\n';
const refused: FileRead = { ok: false, problem: { code: 'binary' }, reason: 'It is no text.' };

function files(contents: Readonly<Record<string, string>>) {
  const reads: string[] = [];
  let now = 0;
  const reader = {
    read(path: string): Promise<FileRead> {
      reads.push(path);
      const content = contents[path];
      return Promise.resolve(content === undefined ? refused : { ok: true, content, bytes: content.length });
    },
  };
  const tokens = new FileTokens(reader, { now: () => now });
  return { reads, tokens, wait: (ms: number) => (now += ms) };
}

const size = (path: string, content: string): number => ROUGH_COUNTER.count(fenceFile(path, content));

describe('the tokens of a file that is not in the chat yet', () => {
  it('are those of the file with its frame, as a request contains it', async () => {
    const { tokens } = files({ 'a.ts': CONTENT });
    assert.equal(await tokens.of('a.ts', ROUGH_COUNTER), size('a.ts', CONTENT));
  });

  it('are unknown if the file cannot be read or is binary', async () => {
    const { tokens } = files({ 'pic.dat': 'P\0NG' });
    assert.deepEqual([await tokens.of('gone.ts', ROUGH_COUNTER), await tokens.of('pic.dat', ROUGH_COUNTER)], [null, null]);
  });

  it('are counted once while a name is typed, and again later or for another counter', async () => {
    const { tokens, reads, wait } = files({ 'a.ts': CONTENT });
    await tokens.of('a.ts', ROUGH_COUNTER);
    await tokens.of('a.ts', ROUGH_COUNTER);
    assert.deepEqual(reads, ['a.ts']);
    await tokens.of('a.ts', { ...ROUGH_COUNTER, id: 'other' });
    wait(10_001);
    await tokens.of('a.ts', { ...ROUGH_COUNTER, id: 'other' });
    assert.equal(reads.length, 3);
  });
});

describe('the sizes in the list of files to add', () => {
  const known = { counter: ROUGH_COUNTER, ofItems: new Map([['file:held.ts', 172]]) };
  const row = (path: string) => ({ type: 'file', path }) as const;

  it('sum up what is selected, and say how much of it is unknown', async () => {
    const { tokens } = files({ 'a.ts': CONTENT });
    const sizes = new PickedSizes({ name: 'a.ts:1-1', text: 'abcdefgh' }, { known, tokens });
    const ofFile = size('a.ts', CONTENT);
    assert.equal(await sizes.words([row('a.ts')]), `1 selected: ≈ ${String(ofFile)} tokens`);
    assert.equal(
      await sizes.words([
        row('held.ts'),
        { type: 'selection', path: 'a.ts:1-1' },
        { type: 'folder', path: 'src', files: 3 },
        row('gone.ts'),
      ]),
      '4 selected: ≈ 174 tokens, 2 of unknown size',
    );
  });

  it('are unknown before the next request is known', async () => {
    const { tokens, reads } = files({ 'a.ts': CONTENT });
    const sizes = new PickedSizes(null, { known: null, tokens });
    assert.equal(await sizes.words([row('a.ts'), row('held.ts')]), '2 selected');
    assert.deepEqual([...(await sizes.ofFiles(['a.ts']))], []);
    assert.deepEqual(reads, []);
  });

  it('take the figure of the request for a file of the chat, without reading it', async () => {
    const { tokens, reads } = files({ 'held.ts': CONTENT });
    const sizes = new PickedSizes(null, { known, tokens });
    assert.deepEqual([sizes.held(row('held.ts')), sizes.held(row('a.ts'))], [172, null]);
    assert.equal(await sizes.words([row('held.ts')]), '1 selected: ≈ 172 tokens');
    assert.deepEqual(reads, []);
  });

  it('read no more files than a list of open editors has', async () => {
    const paths = Array.from({ length: 51 }, (_, index) => `f${String(index)}.ts`);
    const { tokens, reads } = files(Object.fromEntries(paths.map((path) => [path, CONTENT])));
    const sizes = new PickedSizes(null, { known, tokens });
    assert.equal(await sizes.words(paths.map(row)), '51 selected');
    assert.deepEqual(reads, []);
    assert.equal((await sizes.ofFiles(paths)).size, 50);
    assert.equal(reads.length, 50);
  });
});
