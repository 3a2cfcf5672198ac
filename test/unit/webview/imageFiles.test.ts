import assert from 'node:assert/strict';
import { MOST_ADDED_BYTES } from '../../../src/protocol/images.js';
import { until } from '../../support/host/clocks.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { receiveFiles } from '../../../webview/chat/composer/dropFiles.js';
import { chooseImages, readImages } from '../../../webview/chat/composer/imageFiles.js';

function file(name: string, type: string, content: string): File {
  return new File([content], name, { type });
}

const nameOf = ({ name }: File): string => name;

describe('the images of a drop', () => {
  it('are read in order, and each other file is named with the reason', async () => {
    const locked = file('locked.png', 'image/png', 'x');
    locked.arrayBuffer = () => Promise.reject(new Error('no permission'));
    const large = file('large.png', 'image/png', 'x');
    Object.defineProperty(large, 'size', { value: MOST_ADDED_BYTES + 1 });
    const files = [
      file('a.png', 'image/png', 'first'),
      file('notes.txt', 'text/plain', 'x'),
      locked,
      large,
      file('', 'image/gif', 'second'),
    ];
    const { images, notAdded } = await readImages(chooseImages(files, nameOf));
    assert.deepEqual(
      images.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]),
      [
        ['a.png', 'first'],
        ['Pasted image', 'second'],
      ],
    );
    assert.deepEqual(notAdded, [
      'notes.txt is not an image. Add it with the + button.',
      'large.png is too large (limit 32 MB).',
      'locked.png cannot be read: no permission',
    ]);
  });

  it('are at most 100', async () => {
    const files = Array.from({ length: 102 }, (_, at) => file(`${String(at)}.png`, 'image/png', 'x'));
    const { images, notAdded } = await readImages(chooseImages(files, nameOf));
    assert.deepEqual([images.length, notAdded.length], [100, 2]);
    assert.match(notAdded[0] ?? '', /^100\.png was not added, because it is one of too many images at once/);
  });

  it('go to the chat of the drop in one message, although the user opens another chat meanwhile', async () => {
    const panel = new EventTarget();
    const sent: ToHost[] = [];
    const shown: unknown[] = [];
    let chatId = 'first';
    receiveFiles(panel as HTMLElement, {
      chatId: () => chatId,
      onDragging: () => undefined,
      send: (message) => sent.push(message),
      onReading: (chat, images) => shown.push([chat, images.map(({ name }) => name)]),
      onRefused: (text) => assert.fail(text),
    });
    const files = [file('a.png', 'image/png', 'x'), file('b.png', 'image/png', 'y')];
    const dataTransfer = { types: ['Files'], files, getData: () => '' };
    panel.dispatchEvent(Object.assign(new Event('drop'), { dataTransfer }));
    assert.deepEqual(shown, [['first', ['a.png', 'b.png']]]);
    chatId = 'second';
    await until(() => sent.length > 1, 'the images are sent');
    const [reading, added, ...others] = sent;
    assert.deepEqual(reading, { type: 'readingImages', chatId: 'first' });
    assert.ok(added?.type === 'addImages' && others.length === 0);
    assert.deepEqual([added.chatId, added.images.map(({ name }) => name)], ['first', ['a.png', 'b.png']]);
  });
});
