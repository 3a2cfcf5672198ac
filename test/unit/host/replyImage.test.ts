import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { failure, type LoupeError } from '../../../src/engine/errors.js';
import type { AttemptEnd } from '../../../src/engine/chat/slices/attempts.js';
import { keepReplyImage } from '../../../src/host/chat/runs/replyImage.js';
import { messageParts } from '../../../src/host/panel/conversation/replyViews.js';
import { MOST_IMAGE_BYTES, notDrawn } from '../../../src/protocol/images.js';
import { column } from '../../support/columns.js';
import { png, pngHeader } from '../../support/images.js';

const keepBlob = (): Promise<string> => Promise.resolve('name');
const logError = (error: LoupeError): never => assert.fail(error);

describe('an image of a reply', () => {
  it('has the type and the pixels of its content, whatever type the provider names', async () => {
    const bytes = png(3, 2, 0);
    const kept = await keepReplyImage({ type: 'image', mimeType: 'image/jpeg', bytes }, { keepBlob, logError });
    assert.deepEqual(kept, { type: 'image', blob: 'name', mimeType: 'image/png', bytes: bytes.length, width: 3, height: 2 });
  });

  it('keeps the type of another format, and gets no type of an image if it is none', async () => {
    const typeOf = async (mimeType: string, content: string): Promise<unknown> => {
      const kept = await keepReplyImage({ type: 'image', mimeType, bytes: Buffer.from(content) }, { keepBlob, logError });
      return [kept.mimeType, kept.width, kept.height];
    };
    assert.deepEqual(await typeOf('image/heic', '\0\0\0\x18ftypheic'), ['image/heic', null, null]);
    assert.deepEqual(await typeOf('image/png', '<html>'), ['application/octet-stream', null, null]);
  });

  it('that cannot be stored has the name that it would have, and the error is logged', async () => {
    const errors: LoupeError[] = [];
    const full = (): Promise<never> => Promise.reject(failure('storage.damagedContent', { sha: 'x' }));
    const image = { type: 'image', mimeType: 'image/png', bytes: Buffer.from('picture') } as const;
    const { blob } = await keepReplyImage(image, { keepBlob: full, logError: (error) => errors.push(error) });
    assert.equal(blob, createHash('sha256').update('picture').digest('hex'));
    assert.deepEqual(column(errors, 'code'), ['storage.damagedContent']);
  });

  it('of an older version is a part at the end of its reply, unless it was not stored', () => {
    const extra = { type: 'image', mimeType: 'image/png', bytes: 4 } as const;
    const end: Pick<AttemptEnd, 'extras'> = {
      extras: [
        { ...extra, blob: 'b' },
        { ...extra, blob: null },
      ],
    };
    const parts = messageParts([{ type: 'text', text: 'Here:' }], end as AttemptEnd, () => assert.fail('There are no calls.'));
    assert.deepEqual(parts, [
      { type: 'text', text: 'Here:' },
      { ...extra, blob: 'b', width: null, height: null },
    ]);
  });
});

describe('what the panel does not draw', () => {
  const image = { mimeType: 'image/png', bytes: 4, width: 2, height: 2 };

  it('is another format, and an image with too many bytes or pixels', async () => {
    assert.equal(notDrawn(image), null);
    assert.equal(notDrawn({ ...image, bytes: null, width: null, height: null }), null);
    assert.equal(notDrawn({ ...image, mimeType: 'image/svg+xml' }), 'The panel cannot show this format.');
    assert.equal(notDrawn({ ...image, bytes: MOST_IMAGE_BYTES + 1 }), 'This image is larger than 8 MB, the limit of the panel.');
    const huge = await keepReplyImage({ type: 'image', mimeType: 'image/png', bytes: pngHeader(10_000, 10_000) }, { keepBlob, logError });
    assert.equal(notDrawn(huge), 'This image has too many pixels for the panel.');
  });
});
