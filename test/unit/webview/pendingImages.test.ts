import assert from 'node:assert/strict';
import type { ChosenImage } from '../../../webview/chat/composer/imageFiles.js';
import { PendingImages } from '../../../webview/chat/composer/pendingImages.js';
import { columns } from '../../support/columns.js';

function chosen(name: string, url: string | null): ChosenImage {
  return { name, file: new File(['x'], name), thumbnail: Promise.resolve(url) };
}

describe('pending images', () => {
  it('are shown at once, and with their thumbnails as soon as these are made', async () => {
    let changes = 0;
    const pending = new PendingImages(() => (changes += 1));
    pending.began('a', [chosen('one', 'data:1'), chosen('broken', null)]);
    assert.deepEqual(columns(pending.of('a'), 'name', 'url'), [
      ['one', null],
      ['broken', null],
    ]);
    await Promise.resolve();
    assert.deepEqual(columns(pending.of('a'), 'name', 'url'), [
      ['one', 'data:1'],
      ['broken', null],
    ]);
    assert.equal(changes, 3);
  });

  it('end in the order of the pastes, separately for each chat', () => {
    const pending = new PendingImages(() => undefined);
    for (const [chat, name] of [
      ['a', 'first'],
      ['b', 'other'],
      ['a', 'second'],
    ] as const) {
      pending.began(chat, [chosen(name, null)]);
    }
    pending.ended('a');
    assert.deepEqual([columns(pending.of('a'), 'name'), columns(pending.of('b'), 'name')], [[['second']], [['other']]]);
    pending.ended('a');
    pending.ended('a');
    assert.deepEqual(pending.of('a'), []);
  });
});
