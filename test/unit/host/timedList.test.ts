import assert from 'node:assert/strict';
import { TimedList } from '../../../src/host/context/mentions/timedList.js';

describe('a list that takes long to make', () => {
  let now = 0;
  let made = 0;
  let fails = false;
  const make = (): Promise<readonly string[]> => {
    made += 1;
    return fails ? Promise.reject(new Error('No search.')) : Promise.resolve([String(made)]);
  };

  beforeEach(() => {
    [now, made, fails] = [0, 0, false];
  });

  it('is kept for a while, and made once for all who ask meanwhile', async () => {
    const list = new TimedList(make, { now: () => now }, 10);
    assert.deepEqual(await Promise.all([list.get(), list.get()]), [['1'], ['1']]);
    now = 10;
    assert.deepEqual(await list.get(), ['1']);
    now = 11;
    assert.deepEqual(await list.get(), ['2']);
  });

  it('is made anew at once when it could not be made', async () => {
    const list = new TimedList(make, { now: () => now }, 10);
    fails = true;
    await Promise.all([assert.rejects(list.get(), /No search/), assert.rejects(list.get(), /No search/)]);
    fails = false;
    assert.deepEqual(await list.get(), ['2']);
  });
});
