import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sharedStorage } from '../../../src/host/window/storageRoot.js';

const ID = '0123456789abcdef0123456789abcdef';
/** A browser's ids for folders: 32-bit numbers, also negative ones. */
const BROWSER_IDS = ['231a0198', 'f', '-5c3e20a1'];
const storage = (id: string): string => join('/data', 'User', 'workspaceStorage', id, 'loupe.loupe');

describe('the storage folder', () => {
  it('of a first window is its own', () => {
    for (const id of [ID, ...BROWSER_IDS]) {
      assert.equal(sharedStorage(storage(id)), storage(id));
    }
  });

  it('of further windows is that of the first', () => {
    for (const number of ['1', '2', '17']) {
      for (const id of [ID, ...BROWSER_IDS]) {
        assert.equal(sharedStorage(storage(`${id}-${number}`)), storage(id));
      }
    }
  });

  it('of anything else stays as it is', () => {
    const others = [
      `${ID}-`,
      `${ID}-x`,
      `${ID.slice(1)}-1`,
      `x${ID}-1`,
      `${ID}-1-1`,
      '1700000000000',
      '1700000000000-1',
      '-1234',
      'ext-dev',
      `${ID.toUpperCase()}-1`,
    ];
    for (const id of others) {
      assert.equal(sharedStorage(storage(id)), storage(id), id);
    }
    const global = join('/data', 'User', 'globalStorage', 'loupe.loupe');
    assert.equal(sharedStorage(global), global);
  });
});
