import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ToolOutcome } from '../../../src/engine/ports.js';
import { toOutcome } from '../../../src/tools/mcp/toolResult.js';
import { png } from '../../support/images.js';

const PNG = png(3, 2, 0).toString('base64');
const BYTES = png(3, 2, 0).length;

/** A JPEG as far as its dimensions: 3 × 2 pixels. */
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080002000301011100', 'hex');

describe('a result of an MCP server', () => {
  const outcome = (result: CallToolResult, mostBytes: number): Promise<ToolOutcome> =>
    toOutcome(result, { mostBytes, keepBlob: (bytes) => Promise.resolve(`blob of ${String(bytes.length)}`) });

  const texts = async (result: CallToolResult): Promise<readonly string[]> =>
    (await outcome(result, 10_000)).content.map((item) => (item.type === 'text' ? item.text : item.type));

  it('gives its texts and images in their order', async () => {
    const content: CallToolResult['content'] = [
      { type: 'text', text: 'before' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'text', text: '' },
    ];
    assert.deepEqual(await outcome({ content, isError: true }, 10_000), {
      content: [
        { type: 'text', text: 'before' },
        { type: 'image', blob: `blob of ${String(BYTES)}`, mimeType: 'image/png', bytes: BYTES, width: 3, height: 2 },
        { type: 'text', text: '' },
      ],
      isError: true,
    });
  });

  it('has the dimensions of its images, so that Loupe knows which models accept them', async () => {
    const data = png(9_000, 10, 0).toString('base64');
    const [image] = (await outcome({ content: [{ type: 'image', data, mimeType: 'image/png' }] }, 100_000)).content;
    assert.deepEqual(image?.type === 'image' && [image.width, image.height], [9_000, 10]);
  });

  it('has the real type of its images, because providers refuse a chat with a wrong type', async () => {
    const types = async (data: Buffer, mimeType: string): Promise<readonly unknown[]> => {
      const [image] = (await outcome({ content: [{ type: 'image', data: data.toString('base64'), mimeType }] }, 4_000_000)).content;
      return image?.type === 'image' ? [image.mimeType, image.width] : [image];
    };
    assert.deepEqual(await types(JPEG, 'image/png'), ['image/jpeg', 3]);
    assert.deepEqual(await types(JPEG, 'image/jpg'), ['image/jpeg', 3]);
    const metadata = Buffer.concat([Buffer.from('ffe2ffff', 'hex'), Buffer.alloc(65_533)]);
    const long = Buffer.concat([JPEG.subarray(0, 20), ...Array.from({ length: 17 }, () => metadata), JPEG.subarray(20)]);
    assert.deepEqual(await types(long, 'image/png'), ['image/jpeg', null], 'its dimensions follow long metadata');
  });

  it('of very many texts has them as one, and of very many images the first ones', async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => ({ type: 'text', text: String(at % 10) }) as const);
    assert.deepEqual(await texts({ content: many.slice(0, 101) }), [Array.from({ length: 101 }, (_, at) => String(at % 10)).join('\n')]);
    const [text] = (await outcome({ content: many }, 1_000_000)).content;
    assert.ok(text?.type === 'text' && text.text.length === 399_999);
    const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
    const told = await texts({ content: many.slice(0, 400).flatMap((each) => [each, image]) });
    assert.equal(told.length, 101);
    assert.equal(told.at(-1), '[Loupe cut this result: it had 800 texts and images, and at most 100 are kept.]');
  });

  it('tells of what models do not take', async () => {
    assert.deepEqual(
      await texts({
        content: [
          { type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/svg+xml' },
          { type: 'image', data: '', mimeType: 'image/png' },
          { type: 'image', data: Buffer.from('an image').toString('base64'), mimeType: 'image/png' },
          { type: 'image', data: png(3, 2, 0).subarray(0, 18).toString('base64'), mimeType: 'image/png' },
          { type: 'audio', data: PNG, mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'file:///a.bin', blob: PNG, mimeType: 'application/zip' } },
        ],
      }),
      [
        '(image, image/svg+xml, 0 KiB: not a format that models take)',
        ...[1, 2, 3].map(() => '(image, image/png, 0 KiB: not a format that models take)'),
        '(audio, audio/wav, 0.1 KiB: models of this chat take no sound)',
        'file:///a.bin\n(application/zip, 0.1 KiB: no text)',
      ],
    );
  });

  it('gives resources with their addresses, and links as texts', async () => {
    assert.deepEqual(
      await texts({
        content: [
          { type: 'resource', resource: { uri: 'file:///a.md', text: '# A' } },
          { type: 'resource', resource: { uri: 'file:///a.png', blob: PNG, mimeType: 'image/png' } },
          { type: 'resource_link', uri: 'https://a.example/', name: 'a', title: 'The page', description: 'All of it' },
          { type: 'resource_link', uri: 'https://b.example/', name: 'b' },
        ],
      }),
      ['file:///a.md\n# A', 'image', 'The page: https://a.example/\nAll of it', 'b: https://b.example/'],
    );
  });

  it('is its structured content only where there is nothing else', async () => {
    const structuredContent = { degrees: 21 };
    assert.deepEqual(await texts({ content: [], structuredContent }), ['{"degrees":21}']);
    assert.deepEqual(await texts({ content: [{ type: 'text', text: '21 degrees' }], structuredContent }), ['21 degrees']);
  });

  it('is cut at its limit, at a whole character, and says so', async () => {
    const result: CallToolResult = {
      content: [
        { type: 'text', text: '€'.repeat(400) },
        { type: 'text', text: 'more' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
      ],
    };
    assert.deepEqual((await outcome(result, 1_024)).content, [
      { type: 'text', text: '€'.repeat(341) },
      { type: 'text', text: '[Loupe cut this result: it had 1.2 KiB, and at most 1 KiB are kept.]' },
    ]);
  });
});
