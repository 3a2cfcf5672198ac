import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuotaFiles } from '../../../src/storage/quotaFiles.js';

describe('the files with the rate limits of providers', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-quotas-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const add = (files: QuotaFiles, model: string, at: number): Promise<void> =>
    files.add(
      { model: { provider: 'a/house', model }, readings: [{ of: 'tokens', limit: 1_000, remaining: 1_000 - at, resetsAt: null, at }] },
      100,
    );

  it('have the readings of windows that write at once, and of each model the newest', async () => {
    const windows = [new QuotaFiles(folder), new QuotaFiles(folder), new QuotaFiles(folder)];
    const times = [40, 10, 30, 20, 50];
    await Promise.all(
      windows.flatMap((files, own) => times.flatMap((at) => [add(files, 'shared', at + own), add(files, `own ${String(own)}`, at)])),
    );
    const all = await new QuotaFiles(folder).all();
    assert.deepEqual(Object.fromEntries(all.map(({ model, readings }) => [model.model, readings.map(({ at }) => at)])), {
      shared: [51, 52],
      'own 0': [40, 50],
      'own 1': [40, 50],
      'own 2': [40, 50],
    });
    assert.deepEqual(await readdir(folder), ['a%2Fhouse.json']);
  });
});
