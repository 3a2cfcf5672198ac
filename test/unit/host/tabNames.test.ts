import assert from 'node:assert/strict';
import { tabNames } from '../../../src/host/panel/shell/tabNames.js';

describe('the names of tabs with chats', () => {
  it('are the titles, with a number where an earlier tab has the same title', () => {
    assert.deepEqual(tabNames(['Tides', 'New chat', 'Tides', 'New chat', 'Tides']), [
      'Tides',
      'New chat',
      'Tides (2)',
      'New chat (2)',
      'Tides (3)',
    ]);
    assert.deepEqual(tabNames([]), []);
  });
});
