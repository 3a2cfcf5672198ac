import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFiles, writeDurably, writeFully, type DiskFile } from '../../../src/storage/files/files.js';
import { plainReason, storageError } from '../../../src/storage/files/failure.js';
import { makeFolder, removeFolder, systemError } from './fixtures.js';

describe('writing a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(async () => {
    await removeFolder(folder);
  });

  it('fails when the system writes nothing and gives no reason, instead of trying for ever', async () => {
    const file = await nodeFiles.open(join(folder, 'file'));
    const stuck: DiskFile = { ...file, write: () => Promise.resolve(0) };
    await assert.rejects(writeFully(stuck, Buffer.from('abc'), 0), /none of 3 bytes/);
    await file.close();
  });

  it('leaves the content of a file that is opened, and nothing of one that is replaced', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'a long content');
    await (await nodeFiles.open(path)).close();
    assert.equal(await readFile(path, 'utf8'), 'a long content');
    await writeDurably(nodeFiles, path, Buffer.from('short'));
    assert.equal(await readFile(path, 'utf8'), 'short');
  });

  it('can tell a missing file from one that cannot be looked for', async () => {
    await writeFile(join(folder, 'file'), '');
    assert.equal(await nodeFiles.exists(join(folder, 'file')), true);
    assert.equal(await nodeFiles.exists(join(folder, 'missing')), false);
    await assert.rejects(nodeFiles.exists(join(folder, 'file', 'below')), { code: 'ENOTDIR' });
  });
});

describe('a failure of the disk', () => {
  it('is told in plain words, with the system error as its cause', () => {
    const cause = systemError('EROFS');
    const error = storageError('This chat could not be saved', cause);
    assert.equal(error.message, 'This chat could not be saved: the disk is read-only.');
    assert.equal(error.kind, 'storage');
    assert.equal(error.cause, cause);
  });

  it('is told by its cause when it wraps another', () => {
    assert.equal(plainReason(new Error('cannot go on', { cause: systemError('ENOSPC') })), 'the disk is full');
  });

  it('is told as it is when it is not a usual one', () => {
    assert.equal(plainReason(systemError('EXYZ')), 'EXYZ: injected');
    assert.equal(plainReason('odd'), 'odd');
  });
});
