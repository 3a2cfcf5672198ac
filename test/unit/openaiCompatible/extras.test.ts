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

  it('is its images; one that is elsewhere is told as a source, for it is never fetched', async () => {
    const image = (url: string): object => ({ type: 'image_url', image_url: { url } });
    const [own, other] = [image('data:image/png;base64,iVBO'), image('https://a.example/b.png')];
    const expected = [
      { type: 'image', mimeType: 'image/png', bytes: Buffer.from('iVBO', 'base64') },
      source('https://a.example/b.png', ''),
    ];
    assert.deepEqual(await beside({ choices: [{ delta: { images: [own, other, own] } }] }), expected);
    assert.deepEqual(await beside({ choices: [{ delta: { content: [own, { type: 'text', text: 'a' }, other] } }] }), expected);
  });

  it('is nothing where there is nothing, or nonsense', async () => {
    assert.equal(await beside({ choices: [{ delta: { content: 'a' } }] }), undefined);
    const nonsense = { citations: [1, '', null], search_results: 'many', choices: [{ delta: { annotations: {}, images: [null, 'x'] } }] };
    assert.deepEqual(await beside(nonsense), undefined);
  });

  it('is a large image, too, in one event', async () => {
    const bytes = Buffer.alloc(11 * 1024 * 1024, 'pixels');
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    const told = (await beside({ choices: [{ delta: { images: [{ image_url: { url } }] } }] })) as [{ bytes: Uint8Array }];
    assert.equal(Buffer.compare(told[0].bytes, bytes), 0);
  });

  it('is bounded in size', () => {
    const extras = new Extras();
    for (let number = 0; number < 10; number += 1) {
      extras.take([{ type: 'image', mimeType: 'image/png', bytes: Buffer.alloc(3_000_000, number) }]);
    }
    assert.equal(extras.all.length, 5);
  });

  it('is bounded in number', async () => {
    const citations = Array.from({ length: 1_000 }, (_, index) => `https://a.example/${index}`);
    assert.equal(((await beside({ citations, choices: [] })) as unknown[]).length, 200);
  });
});
