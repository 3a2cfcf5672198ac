import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFile } from '../../../src/storage/regularFile.js';
import { ChunkReader } from '../../../src/storage/searchChunks.js';
import { rejection } from '../../support/rejection.js';
import { makeFolder, removeFolder } from './fixtures.js';

describe('a file read by chunks of whole lines', () => {
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `line ${String(index)}\n`).join(''));
  let folder: string;
  beforeEach(async () => {
    folder = await makeFolder();
    await writeFile(join(folder, 'lines'), content);
  });
  afterEach(async () => {
    await removeFolder(folder);
  });

  it('is whole, and no chunk changes before the next one is asked for', async () => {
    await withFile(join(folder, 'lines'), async (file) => {
      let end = 0;
      for await (const { bytes, offset } of new ChunkReader().chunksOf(file, new AbortController().signal)) {
        // What is read meanwhile goes elsewhere: this waits until it has been.
        await file.bytes(0, content.length);
        assert.equal(offset, end);
        assert.equal(bytes.at(-1), 0x0a);
        assert.ok(bytes.equals(content.subarray(offset, offset + bytes.length)), `the chunk at ${String(offset)}`);
        end += bytes.length;
      }
      assert.equal(end, content.length);
    });
  });

  it('ends when its search is cancelled', async () => {
    await withFile(join(folder, 'lines'), async (file) => {
      const abort = new AbortController();
      const chunks = new ChunkReader().chunksOf(file, abort.signal);
      assert.equal((await chunks.next()).done, false);
      abort.abort();
      assert.equal((await rejection(chunks.next())).kind, 'cancelled');
    });
  });
});
