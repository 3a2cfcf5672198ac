import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoupeError } from '../../../src/engine/errors.js';
import { Blobs } from '../../../src/storage/blobs.js';
import { nodeFiles, type Files } from '../../../src/storage/files/files.js';
import { CountingHex } from '../../support/engine/ports.js';
import { makeFolder, removeFolder, SmallDisk } from './fixtures.js';
import { rejection } from '../../support/rejection.js';
import { failureOf } from '../../support/failures.js';

const bytes = Buffer.from('a picture\0');
const sha = createHash('sha256').update(bytes).digest('hex');

describe('the blobs of a chat', () => {
  let folder: string;
  let refusal: LoupeError | null;
  beforeEach(async () => {
    folder = await makeFolder();
    refusal = null;
  });
  afterEach(async () => {
    await removeFolder(folder);
  });

  const make = (files: Files): Blobs => new Blobs({ folder, files, random: new CountingHex(), refusal: () => Promise.resolve(refusal) });

  it('are named by their SHA-256 and come back as they were', async () => {
    const blobs = make(nodeFiles);
    assert.equal(await blobs.put(bytes), sha);
    assert.deepEqual(await blobs.get(sha), bytes);
    assert.deepEqual(await readdir(join(folder, 'blobs')), [sha]);
  });

  it('may be empty', async () => {
    const blobs = make(nodeFiles);
    assert.equal((await blobs.get(await blobs.put(Buffer.alloc(0)))).length, 0);
  });

  it('are on the disk, with their names, before they are reported', async () => {
    const disk = new SmallDisk(Infinity);
    await make(disk).put(bytes);
    assert.equal(disk.log.at(-1), 'sync');
    assert.deepEqual(disk.syncedFolders, [join(folder, 'blobs'), folder]);
  });

  it('are written once', async () => {
    const disk = new SmallDisk(Infinity);
    const blobs = make(disk);
    await blobs.put(bytes);
    const { ino } = await stat(join(folder, 'blobs', sha));
    disk.log.length = 0;
    assert.equal(await blobs.put(bytes), sha);
    assert.deepEqual(disk.log, []);
    assert.equal((await stat(join(folder, 'blobs', sha))).ino, ino);
  });

  it('never have their name while they are incomplete', async () => {
    const disk = new SmallDisk(4);
    const error = await rejection(make(disk).put(bytes));
    assert.equal(error.kind, 'storage');
    assert.equal(error.message, 'An attachment or a tool result could not be saved: the disk is full.');
    assert.deepEqual(await readdir(join(folder, 'blobs')), []);
  });

  it('are reported when they are missing', async () => {
    assert.equal((await rejection(make(nodeFiles).get(sha))).kind, 'storage');
  });

  it('are reported when they are damaged, never given', async () => {
    const blobs = make(nodeFiles);
    await blobs.put(bytes);
    await writeFile(join(folder, 'blobs', sha), 'something else');
    assert.match((await rejection(blobs.get(sha))).message, /damaged/);
  });

  it('are asked for by 64 lower-case hexadecimal digits only', async () => {
    const blobs = make(nodeFiles);
    for (const name of ['', '../../secret', sha.toUpperCase(), sha.slice(1), `${sha}0`, `${sha}\n`]) {
      assert.equal((await rejection(blobs.get(name))).kind, 'invalidInput', name);
    }
  });

  it('are refused in a chat that takes nothing', async () => {
    refusal = failureOf('storage', 'This chat was deleted.');
    assert.equal(await rejection(make(nodeFiles).put(bytes)), refusal);
    assert.deepEqual(await readdir(folder), []);
  });
});
