import assert from 'node:assert/strict';
import { toolImage } from '../../src/tools/imageHeader.js';
import { DARK, usePreview } from '../support/workbench/previewPage.js';

describe('the images of a reply', () => {
  const preview = usePreview();

  it('keep their proportions, and open by a click or a key; what is not drawn is told in words', async () => {
    await preview.show('Images of replies', DARK, 400, 1_600);
    const [first, second] = [0, 1].map((at) => preview.page.getByRole('article', { name: 'Assistant' }).nth(at));
    assert.ok(first !== undefined && second !== undefined);
    const chart = first.getByRole('button', { name: 'Image (image/png, 640 × 480, 125 KB)' });
    await chart.waitFor();
    assert.deepEqual(
      await first.locator('loupe-markdown, .reply-images').evaluateAll((parts) => parts.map(({ localName }) => localName)),
      ['loupe-markdown', 'div', 'loupe-markdown'],
      'the image is between the texts',
    );
    const sizeOf = async (name: string): Promise<readonly number[]> => {
      const box = (await second.getByRole('button', { name }).first().boundingBox()) ?? assert.fail(`${name} is not shown.`);
      return [Math.round(box.width), Math.round(box.height)];
    };
    assert.deepEqual(await sizeOf('Image (image/png, 1024 × 1024, 125 KB)'), [180, 180]);
    assert.deepEqual(await sizeOf('Image (image/png, 576 × 1024, 125 KB)'), [101, 180]);
    await chart.click();
    await chart.press('Enter');
    const opened = { type: 'openImage', chatId: 'chat', blob: 'chart', mimeType: 'image/png' };
    assert.deepEqual(await preview.posted(2, 'openImage'), [opened, opened]);

    await second.getByText('Saved content of this chat could not be read.').waitFor();
    await second.getByText('Image (image/heic, 125 KB)').waitFor();
    await second.getByText('The panel cannot show this format.').waitFor();
    await second.getByText('This image is larger than 8 MB, the limit of the panel.').waitFor();
    const asked = (await preview.posted(5, 'showImage')).map((message) => message.type === 'showImage' && message.blob);
    assert.deepEqual(asked.toSorted(), ['chart', 'first', 'gone', 'second', 'third'], 'not what the panel does not draw');
    await second.getByRole('button', { name: 'Open', exact: true }).click();
    const large = (await preview.posted(3, 'openImage')).at(-1);
    assert.ok(large?.type === 'openImage' && large.blob === 'poster');
  });
});

describe('the images of a message', () => {
  const preview = usePreview();

  it('are asked for once they are in sight, drawn with their words, and opened by a key', async () => {
    await preview.show('Images', DARK, 400, 1_200);
    const images = preview.page.getByRole('button').filter({ has: preview.page.getByRole('img') });
    await images.first().waitFor();
    const asked = (await preview.posted(5, 'showImage')).map((message) => message.type === 'showImage' && message.blob);
    assert.deepEqual(asked.toSorted(), ['chart', 'gone', 'icon', 'strip', 'tall'], 'not the one that no browser draws');
    await images.nth(3).waitFor();
    const chart = preview.page.getByRole('button', { name: 'Image (image/png, 640 × 480, 125 KB)' });
    const box = (await chart.boundingBox()) ?? assert.fail('It is not shown.');
    assert.deepEqual([Math.round(box.width), Math.round(box.height)], [92, 60]);
    await chart.focus();
    await chart.press('Enter');
    assert.deepEqual(await preview.posted(1, 'openImage'), [{ type: 'openImage', chatId: 'chat', blob: 'chart', mimeType: 'image/png' }]);
  });

  it('are asked for again when they come back only where they could not be read', async () => {
    await preview.show('Images', DARK, 400, 1_200);
    await preview.posted(5, 'showImage');
    await preview.page.getByText('Saved content of this chat could not be read.').waitFor();
    await preview.page.getByRole('button', { name: 'Image (image/png, 300 × 1200, 125 KB)' }).waitFor();
    await preview.page.locator('loupe-image').evaluateAll((images) => {
      images.forEach((image) => image.parentNode?.insertBefore(image, image.nextSibling));
    });
    const asked = (await preview.posted(6, 'showImage')).map((message) => message.type === 'showImage' && message.blob);
    assert.deepEqual(asked.slice(5), ['gone']);
  });

  it('stand on the side of the text on which they were sent', async () => {
    await preview.show('Images', DARK, 400, 1_200);
    const first = preview.page.getByRole('article', { name: 'You' }).first();
    const order = await first.locator('.bubble').evaluate((bubble) => [...bubble.children].map(({ className }) => className.split(' ')[0]));
    assert.deepEqual(order, ['user-images', 'user-text', 'user-images', 'image-tokens']);
  });

  it('are scaled down in the message box if they are too large, to the pixels and bytes that the model accepts', async () => {
    await preview.show('With this message', DARK, 400, 900);
    const name = 'Scale down a scan of the old paper chart of the harbour.tif, ≈ 1,568 tokens, ≈ $0.0047';
    await preview.page.getByRole('button', { name, exact: true }).click();
    assert.equal(await preview.page.evaluate(() => document.activeElement?.localName), 'vscode-text-area', 'the button disappears');
    const [asked] = await preview.posted(1, 'scaleImage');
    assert.ok(asked?.type === 'scaleImage' && asked.blob === 'gone');
    const url = await preview.page.evaluate(() => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [3_136, 1_000];
      const context = canvas.getContext('2d');
      for (let at = 0; at < 3_136; at += 2) {
        if (context !== null) context.fillStyle = `hsl(${String((at * 7_919) % 360)} 90% 50%)`;
        context?.fillRect(at, (at * 31) % 1_000, 2, 500);
      }
      return canvas.toDataURL('image/png');
    });
    await preview.tell({ type: 'imageToScale', chatId: 'chat', blob: 'gone', url });
    const [scaled] = await preview.posted(1, 'replaceImage');
    assert.ok(scaled?.type === 'replaceImage' && scaled.blob === 'gone');
    const bytes = Uint8Array.from(Object.values(scaled.bytes));
    const image = await toolImage(bytes);
    assert.deepEqual([image?.width, image?.height], [1_568, 500]);
  });

  it('are told in words where they are missing, of another kind, or no images at all', async () => {
    await preview.show('Images', DARK, 400, 1_200);
    const second = preview.page.getByRole('article', { name: 'You' }).nth(1);
    await second.getByText('Image (image/tiff)').waitFor();
    await second.getByText('Saved content of this chat could not be read.').waitFor();
    await second.getByRole('button', { name: 'Image (image/png, 300 × 1200, 125 KB)' }).waitFor();
    await preview.tell({ type: 'image', chatId: 'chat', blob: 'tall', url: 'data:image/png;base64,AAAA', problem: null });
    await second.getByText('The panel cannot show this image.').waitFor();
    await second.getByText('Image (image/png, 300 × 1200, 125 KB)').waitFor();
  });
});
