import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignsOfLife } from '../../../src/storage/windows/liveness.js';
import { RunClaim } from '../../../src/storage/windows/runClaim.js';
import { DEAD_PID, HOST, makeFolder, ManualClock, removeFolder } from './fixtures.js';

/** In one race of six, several windows won while void claims were moved aside first. */
const RACES = 50;

describe('the claim to answer in a chat', () => {
  let folder: string;
  let clock: ManualClock;
  let reports: Error[];
  beforeEach(async () => {
    folder = await makeFolder();
    clock = new ManualClock();
    // A claim that is being written has the time of the disk.
    clock.time = Date.now();
    reports = [];
  });
  afterEach(async () => {
    await removeFolder(folder);
  });

  function claim(writerId: string, pid: number): RunClaim {
    return claimOn(HOST, writerId, pid);
  }

  function claimOn(host: string, writerId: string, pid: number): RunClaim {
    const self = { writerId, pid, host };
    return new RunClaim({ folder, kind: 'run', self, signs: new SignsOfLife(self, clock), clock, report: (error) => reports.push(error) });
  }

  async function claimed(text: string, age: number): Promise<void> {
    const path = join(folder, 'run.claim');
    await writeFile(path, text);
    const at = new Date(clock.now() - age);
    await utimes(path, at, at);
  }

  /** Windows on different hosts: none can check the process of another. */
  const many = (): RunClaim[] => Array.from({ length: 20 }, (_, index) => claimOn(`host-${String(index)}`, `w${String(index)}`, 1));
  const ours = (): RunClaim => claim('ours', process.pid);
  const theirs = (): RunClaim => claim('theirs', process.ppid);
  const ownedBy = (pid: number, host: string): string => JSON.stringify({ pid, host, writerId: 'theirs' });

  it("is one window's, however many want it at the same instant", async () => {
    const taken = await Promise.all(many().map((window) => window.take()));
    assert.equal(taken.filter((isTaken) => isTaken).length, 1);
    assert.deepEqual(reports, []);
  });

  it('is kept by its window until that gives it back', async () => {
    const window = ours();
    assert.deepEqual([await window.take(), await window.take(), await theirs().take()], [true, true, false]);
    await window.release();
    assert.equal(await theirs().take(), true);
  });

  it('is not given back by another window', async () => {
    await ours().take();
    await theirs().release();
    assert.equal(await theirs().take(), false);
  });

  it('is void when the process of its window is gone, and one of those that find out gets it', async () => {
    await claimed(ownedBy(DEAD_PID, HOST), 0);
    assert.equal(await ours().take(), true);
    for (let time = 0; time < RACES; time += 1) {
      await claimed(ownedBy(DEAD_PID, 'another-host'), 20_000);
      const taken = await Promise.all(many().map((window) => window.take()));
      assert.equal(taken.filter((isTaken) => isTaken).length, 1);
      assert.deepEqual(await readdir(folder), ['run.claim']);
    }
    assert.deepEqual(reports, []);
  });

  it('is void all the same when a window died while it replaced it', async () => {
    await claimed(ownedBy(DEAD_PID, HOST), 0);
    await writeFile(join(folder, 'run.claim.next'), ownedBy(DEAD_PID, HOST));
    assert.equal(await ours().take(), true);
    assert.deepEqual(await readdir(folder), ['run.claim']);
    await ours().release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('holds for a window that has no open run yet, and is void when that shows no sign of life for long', async () => {
    await claimed(ownedBy(DEAD_PID, 'another-host'), 19_999);
    assert.equal(await ours().take(), false);
    await claimed(ownedBy(DEAD_PID, 'another-host'), 20_000);
    assert.equal(await ours().take(), true);
  });

  it('holds longer for a window whose process exists: a busy machine may keep it from running', async () => {
    await claimed(ownedBy(process.ppid, HOST), 59_999);
    assert.equal(await ours().take(), false);
    await claimed(ownedBy(process.ppid, HOST), 60_000);
    assert.equal(await ours().take(), true);
  });

  it('holds while its window shows that it lives', async () => {
    await claimed(ownedBy(process.ppid, HOST), 60_000);
    const path = join(folder, 'theirs.alive');
    await writeFile(path, JSON.stringify({ pid: process.ppid, host: HOST }));
    await utimes(path, new Date(clock.now()), new Date(clock.now()));
    assert.equal(await ours().take(), false);
  });

  it('is void when it names no window, after a while', async () => {
    await claimed('{"pi', 0);
    assert.equal(await ours().take(), false);
    await claimed('{"pi', 20_000);
    assert.equal(await ours().take(), true);
  });

  it('keeps nobody from answering where the disk takes none, and says so', async () => {
    await mkdir(join(folder, 'run.claim'));
    assert.equal(await ours().take(), true);
    assert.equal(reports.length, 1);
  });
});
