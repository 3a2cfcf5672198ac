import assert from 'node:assert/strict';
import { Extras } from '../../../src/providers/extras.js';
import { MODEL, endOf, events, partsOf } from './support.js';

describe('what comes beside a reply', () => {
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const beside = async (...chunks: readonly object[]): Promise<unknown> => endOf(await partsOf(events(...chunks, finish), MODEL))?.extras;
  const source = (url: string, title: string): object => ({ type: 'source', url, title });

  it('is its sources, each once, with the title that one of them has', async () => {
    const cited = { citations: ['https://a.example', 'https://b.example'], choices: [] };
    assert.deepEqual(await beside(cited, cited, { search_results: [{ url: 'https://b.example', title: 'B' }] }), [
      source('https://a.example', ''),
      source('https://b.example', 'B'),
    ]);
    const annotation = { type: 'url_citation', url_citation: { url: 'https://c.example', title: 'C' } };
    assert.deepEqual(await beside({ choices: [{ delta: { annotations: [annotation, annotation] } }] }), [source('https://c.example', 'C')]);
  });

  it('is the address of an image, for it is never fetched', async () => {
    const linked = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } };
    const expected = [source('https://a.example/b.png', '')];
    assert.deepEqual(await beside({ choices: [{ delta: { images: [linked] } }] }), expected);
    assert.deepEqual(await beside({ choices: [{ delta: { content: [{ type: 'text', text: 'a' }, linked] } }] }), expected);
  });

  it('is nothing where there is nothing, or nonsense', async () => {
    assert.equal(await beside({ choices: [{ delta: { content: 'a' } }] }), undefined);
    const nonsense = { citations: [1, '', null], search_results: 'many', choices: [{ delta: { annotations: {}, images: [null, 'x'] } }] };
    assert.deepEqual(await beside(nonsense), undefined);
  });

  it('is bounded in size', () => {
    const extras = new Extras();
    for (let number = 0; number < 10; number += 1) {
      extras.take([{ type: 'source', url: `https://${String(number)}.example/${'a'.repeat(3_000_000)}`, title: '' }]);
    }
    assert.equal(extras.all.length, 5);
  });

  it('is bounded in number', async () => {
    const citations = Array.from({ length: 1_000 }, (_, index) => `https://a.example/${index}`);
    assert.equal(((await beside({ citations, choices: [] })) as unknown[]).length, 200);
  });
});

describe('the images of a reply', () => {
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const image = (url: string): object => ({ type: 'image_url', image_url: { url } });
  const [first, second] = ['data:image/png;base64,iVBO', 'data:IMAGE/WebP;base64,UklG'];
  const read = async (...chunks: readonly object[]): Promise<unknown> => {
    const parts = await partsOf(events(...chunks, finish), MODEL);
    return parts.flatMap((part) =>
      part.type === 'text'
        ? [`${String(part.index)} ${part.text}`]
        : part.type === 'image'
          ? [`${String(part.index)} ${part.mimeType} ${Buffer.from(part.bytes).toString('base64')}`]
          : [],
    );
  };

  it('are parts between its texts, in the order of the chunks', async () => {
    const [before, after] = ['Here:', 'And so on.'].map((content) => ({ choices: [{ delta: { content } }] }));
    const images = { choices: [{ delta: { content: '', images: [image(first), image(second)] } }] };
    assert.deepEqual(await read(before ?? {}, images, after ?? {}), ['0 Here:', '1 image/png iVBO', '2 image/webp UklG', '3 And so on.']);
  });

  it('are parts in the order of a content list, and in a reply in one piece', async () => {
    const content = [{ type: 'text', text: 'a' }, image(first), { type: 'text', text: 'b' }];
    const expected = ['0 a', '1 image/png iVBO', '2 b'];
    assert.deepEqual(await read({ choices: [{ delta: { content } }] }), expected);
    assert.deepEqual(await read({ choices: [{ message: { role: 'assistant', content } }] }), expected);
    const beside = { role: 'assistant', content: 'a', images: [{ image_url: { url: first } }] };
    assert.deepEqual(await read({ choices: [{ message: beside }] }), ['0 a', '1 image/png iVBO']);
  });

  it('can be large, and come in one event', async () => {
    const bytes = Buffer.alloc(11 * 1024 * 1024, 'pixels');
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    const parts = await partsOf(events({ choices: [{ delta: { images: [image(url)] } }] }, finish), MODEL);
    const received = parts.find((part) => part.type === 'image') ?? assert.fail('There is no image.');
    assert.equal(Buffer.compare(received.bytes, bytes), 0);
  });

  it('are none where there is nonsense', async () => {
    const nonsense = [null, 'x', {}, image('data:image/png;base64,'), image('data:text/html;base64,PGI+')];
    assert.deepEqual(await read({ choices: [{ delta: { content: 'a', images: nonsense } }] }), ['0 a']);
  });
});
