import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LearnedChat } from '../../../src/engine/next/learnedChat.js';
import { NO_LESSON } from '../../../src/engine/chat/lesson.js';
import { readLearned, storedLearned, writeLearned } from '../../../src/storage/reading/learnedFile.js';
import { usage } from '../../support/engine/events.js';

type Sent = LearnedChat['requests'][number][1][number];

function request(at: number, ...hashes: readonly string[]): Sent {
  return {
    ...{ at, endedAt: at + 1, chatId: 'c', attemptId: `a${String(at)}`, parameters: '{}', tokens: 100, usage: usage(1, 2, 3, 4) },
    blocks: hashes.map((hash, index) => ({ hash, tokens: index })),
    marks: [{ at: 0, ttl: '5m' }],
  };
}

const LEARNED: LearnedChat = {
  lessons: [['m', { ...NO_LESSON, taken: [{ at: 1, tokens: 100 }] }]],
  turns: [{ id: 'run', at: 7, model: 'm', steps: [{ input: 10, output: 1 }] }],
  requests: [
    ['m', [request(1, 'a', 'b'), request(2, 'a', 'b', 'c'), request(3, 'a'), request(4, 'a', 'd', 'b'), request(5), request(6, 'b')]],
    ['other', [request(7, 'a')]],
  ],
};

describe('the file with what a chat teaches', () => {
  let folder: string;
  const fingerprint = (): Promise<string> => Promise.resolve('f');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-learned-'));
    await writeLearned(folder, 'f', LEARNED);
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('has all of it as it was, for this window and for windows of other workspaces', async () => {
    assert.deepEqual(await readLearned(folder, fingerprint), LEARNED);
    assert.deepEqual(await storedLearned(folder), LEARNED);
  });

  it('does not count for another state of the log', async () => {
    assert.equal(await readLearned(folder, () => Promise.resolve('later')), null);
  });

  it('does not count when it is damaged or missing', async () => {
    const file = join(folder, 'learned.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"tokens":100', '"tokens":900'));
    assert.equal(await storedLearned(folder), null);
    await rm(file);
    assert.equal(await readLearned(folder, fingerprint), null);
  });
});
