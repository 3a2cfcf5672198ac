import assert from 'node:assert/strict';
import { failure, LoupeError } from '../../../src/engine/errors.js';
import { addImages, type ImageDrafts, type ImageTarget, type NewImage } from '../../../src/host/context/images/addImages.js';
import { DraftImages } from '../../../src/host/context/images/draftImages.js';
import { imageHeader } from '../../../src/host/context/images/imageFile.js';
import { MOST_ADDED_BYTES } from '../../../src/protocol/images.js';
import { columns } from '../../support/columns.js';
import { SteppedClock } from '../../support/host/clocks.js';
import { readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';
import { png, pngHeader } from '../../support/images.js';

/** A picture of one pixel in each format that models accept. */
const JPEG = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffda0008010100003f00', 'hex'),
  Buffer.from('3fffd9', 'hex'),
]);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');

const PNG = png(3, 2, 0);

/** The GIF with its picture twice. */
const ANIMATED_GIF = Buffer.concat([GIF.subarray(0, -1), GIF.subarray(19)]);

const ANIMATED_WEBP = Buffer.from(WEBP);
ANIMATED_WEBP.write('VP8X', 12, 'latin1');
ANIMATED_WEBP[20] = 2;

const ANIMATED_PNG = Buffer.concat([PNG.subarray(0, 33), Buffer.from('000000086163544c000000020000000000000000', 'hex'), PNG.subarray(33)]);

const HEIC = Buffer.concat([Buffer.from('000000186674797068656963000000006865696366', 'hex'), Buffer.from('6d6961662d2d', 'hex')]);

describe('an image that the user adds', () => {
  const windows = useWindows();

  it('has the type and size that its content says, whatever its name', async () => {
    assert.deepEqual(await imageHeader(PNG, 'chart.jpg'), { mimeType: 'image/png', width: 3, height: 2 });
    const types = [JPEG, GIF, WEBP].map(async (bytes) => {
      const { mimeType, width, height } = await imageHeader(bytes, 'x');
      return [mimeType, width, height];
    });
    assert.deepEqual(await Promise.all(types), [
      ['image/jpeg', 1, 1],
      ['image/gif', 1, 1],
      ['image/webp', 1, 1],
    ]);
  });

  const REFUSED: Readonly<Record<string, readonly [bytes: Uint8Array, reason: RegExp]>> = {
    'a text': [Buffer.from('hello'), /is not a complete image/],
    'an empty file': [new Uint8Array(), /is not a complete image/],
    'a PNG that breaks off': [PNG.subarray(0, -12), /is not a complete image/],
    'a JPEG that breaks off': [JPEG.subarray(0, -10), /is not a complete image/],
    'a GIF that breaks off': [GIF.subarray(0, -1), /is not a complete image/],
    'a WebP that breaks off': [WEBP.subarray(0, -4), /is not a complete image/],
    'an animated GIF': [ANIMATED_GIF, /is animated/],
    'an animated WebP': [ANIMATED_WEBP, /is animated/],
    'an animated PNG': [ANIMATED_PNG, /is animated/],
    'an SVG image with a script': [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>'),
      /is an SVG image/,
    ],
    'a HEIC photo': [HEIC, /format HEIC, which models do not accept\. Convert it to PNG or JPEG first/],
    'a bitmap': [bitmap(), /format BMP/],
    'an image of 100 megapixels': [pngHeader(10_000, 10_000), /has 10000 × 10000 pixels \(limit 100 megapixels\)/],
    'a file of 32 MB': [new Uint8Array(MOST_ADDED_BYTES + 1), /is too large \(limit 32 MB\)/],
  };
  for (const [what, [bytes, reason]] of Object.entries(REFUSED)) {
    it(`is refused with the reason: ${what}`, async () => {
      const { message, kind } = await refusal(imageHeader(bytes, 'photo.png'));
      assert.match(message, reason);
      assert.match(message, /^photo\.png /);
      assert.equal(kind, 'invalidInput');
    });
  }

  it('is stored in the chat and put into the draft once, under a name of its own; bad ones are named and skipped', async () => {
    const { session, drafts } = await readyPanel(windows.open({}));
    const image = (name: string, bytes: Uint8Array): NewImage => ({ name, read: () => Promise.resolve(bytes) });
    const gone: NewImage = { name: 'gone.png', read: () => Promise.reject(failure('image.broken', { name: 'gone.png' })) };
    const images = [image('a.png', PNG), image('no.png', Buffer.from('no')), gone, image('a.png', GIF), image('again.png', PNG)];
    const notes = await addImages(session, images, drafts, new AbortController().signal);
    assert.deepEqual(notes, ['no.png is not a complete image.', 'gone.png is not a complete image.']);
    const added = drafts.get(session.id).images;
    assert.deepEqual(columns(added, 'name', 'mimeType', 'bytes', 'width', 'height'), [
      ['a.png', 'image/png', PNG.length, 3, 2],
      ['a.png 2', 'image/gif', GIF.length, 1, 1],
    ]);
    assert.deepEqual(Buffer.from(await session.records.blob(added[0]?.blob ?? '')), PNG);
  });

  it('is given up at a cancel while its disk does not answer, as are the images that wait for it', async () => {
    const clock = new SteppedClock();
    const cancels: (() => void)[] = [];
    const added: string[] = [];
    const awaited: Promise<boolean>[] = [];
    const drafts: ImageDrafts = {
      get: () => ({ images: [] }),
      addImage: (_chat, { name }) => void added.push(name ?? ''),
      awaitImages: (_chat, done) => void awaited.push(done),
    };
    const images = new DraftImages(drafts, {
      clock,
      showBusy: () => undefined,
      offerCancel: (_ended, cancel) => void cancels.push(cancel),
    });
    const chat = (id: string): ImageTarget => ({ id, records: { keepBlob: () => Promise.resolve('blob') } });
    let read: (bytes: Uint8Array) => void = () => undefined;
    const hanging = new Promise<Uint8Array>((resolve) => {
      read = resolve;
    });
    const adding = ['first', 'second'].map((id) => images.add(chat(id), [{ name: `${id}.png`, read: () => hanging }]));
    const refusals = adding.map(refusal);
    while (cancels.length < 2) {
      clock.step();
      await new Promise(setImmediate);
    }
    cancels[1]?.();
    assert.equal((await refusals[1])?.code, 'file.addingCancelled');
    cancels[0]?.();
    assert.equal((await refusals[0])?.code, 'file.addingCancelled');
    assert.deepEqual(await Promise.all(awaited), [false, false]);
    read(PNG);
    assert.deepEqual(await images.add(chat('third'), [{ name: 'third.png', read: () => Promise.resolve(PNG) }]), []);
    assert.deepEqual(added, ['third.png']);
  });

  it('is not skipped when the disk is full: the error says so', async () => {
    const { drafts } = await readyPanel(windows.open({}));
    const chat: ImageTarget = {
      id: 'x',
      records: { keepBlob: () => Promise.reject(failure('storage.damagedContent', { sha: 'x' })) },
    };
    const { kind } = await refusal(
      addImages(chat, [{ name: 'a.png', read: () => Promise.resolve(PNG) }], drafts, new AbortController().signal),
    );
    assert.equal(kind, 'storage');
  });
});

async function refusal(work: Promise<unknown>): Promise<LoupeError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof LoupeError ? error : assert.fail(`It was not refused: ${String(error)}`);
}

function bitmap(): Buffer {
  const file = Buffer.alloc(58);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(1, 18);
  file.writeInt32LE(1, 22);
  return file;
}
