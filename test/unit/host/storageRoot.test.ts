import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sharedStorage } from '../../../src/host/storageRoot.js';

const ID = '0123456789abcdef0123456789abcdef';
const storage = (id: string): string => join('/data', 'User', 'workspaceStorage', id, 'loupe.loupe');

describe('the storage folder', () => {
  it('of a first window is its own', () => {
    assert.equal(sharedStorage(storage(ID)), storage(ID));
  });

  it('of further windows is that of the first', () => {
    for (const number of ['1', '2', '17']) {
      assert.equal(sharedStorage(storage(`${ID}-${number}`)), storage(ID));
    }
  });

  it('of anything else stays as it is', () => {
    const others = [`${ID}-`, `${ID}-x`, `${ID.slice(1)}-1`, `x${ID}-1`, `${ID}-1-1`, '1700000000000', 'ext-dev', `${ID.toUpperCase()}-1`];
    for (const id of others) {
      assert.equal(sharedStorage(storage(id)), storage(id), id);
    }
    const global = join('/data', 'User', 'globalStorage', 'loupe.loupe');
    assert.equal(sharedStorage(global), global);
  });
});
