import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Heartbeat, SignsOfLife } from '../../../src/storage/windows/liveness.js';
import { DEAD_PID, HOST, makeFolder, ManualClock, ManualTicker, removeFolder, writer } from './fixtures.js';

describe('the sign of life of a writer', () => {
  let folder: string;
  let clock: ManualClock;
  let signs: SignsOfLife;
  const self = writer('me');
  beforeEach(async () => {
    folder = await makeFolder();
    clock = new ManualClock();
    signs = new SignsOfLife(self, clock);
  });
  afterEach(async () => {
    await removeFolder(folder);
  });

  /** Writes the sign of `other`, last touched `age` ms ago. */
  async function sign(content: string, age: number): Promise<void> {
    const path = join(folder, 'other.alive');
    await writeFile(path, content);
    const touched = new Date(clock.now() - age);
    await utimes(path, touched, touched);
  }

  const state = (writerId: string): Promise<string> => signs.writerState(folder, writerId);
  const owner = (pid: number, host: string): string => JSON.stringify({ pid, host });

  describe('read by another', () => {
    it('is missing: the writer is dead', async () => {
      assert.equal(await state('other'), 'dead');
    });

    for (const [what, content, age, expected] of [
      ['is fresh, and its process exists: the writer is alive', owner(process.ppid, HOST), 0, 'alive'],
      [
        'is late, and its process exists, which may only be kept from running: the writer is alive',
        owner(process.ppid, HOST),
        59_999,
        'alive',
      ],
      [
        'is stale, although such a process exists: the id was given to another, the writer is dead',
        owner(process.ppid, HOST),
        60_000,
        'dead',
      ],
      ['is fresh, but its process is gone: the writer is dead at once', owner(DEAD_PID, HOST), 0, 'dead'],
      [
        'is fresh and from another host, whose processes cannot be seen: the writer is alive',
        owner(DEAD_PID, 'another-host'),
        19_999,
        'alive',
      ],
      ['is stale and from another host: the writer is dead', owner(DEAD_PID, 'another-host'), 20_000, 'dead'],
      ['names this very process: that activation is over', owner(process.pid, HOST), 0, 'dead'],
    ] as const) {
      it(what, async () => {
        await sign(content, age);
        assert.equal(await state('other'), expected);
      });
    }

    it('says nothing usable: its age decides', async () => {
      for (const content of ['', '{"pid":', '[]', 'null', '{}', owner(-DEAD_PID, HOST), owner(0.5, HOST)]) {
        await sign(content, 0);
        assert.equal(await state('other'), 'alive', content);
        await sign(content, 20_000);
        assert.equal(await state('other'), 'dead', content);
      }
    });

    it('is no regular file, as no writer made it: the writer is dead', async () => {
      await mkdir(join(folder, 'other.alive'));
      assert.equal(await state('other'), 'dead');
    });

    describe('and is from the future, as the clock was set back or another host has another one', () => {
      const HOUR = 3_600_000;
      const elsewhere = owner(process.ppid, 'another-host');
      const unseen = [elsewhere, ''];

      it('counts from when it was first seen, not until that time comes', async () => {
        for (const content of unseen) {
          await sign(content, -HOUR);
          assert.equal(await state('other'), 'alive', content);
          clock.time += 19_999;
          assert.equal(await state('other'), 'alive', content);
          clock.time += 1;
          assert.equal(await state('other'), 'dead', content);
          clock.time += 1;
          assert.equal(await state('other'), 'dead', content);
        }
      });

      it('counts longer where its process exists', async () => {
        await sign(owner(process.ppid, HOST), -HOUR);
        await state('other');
        clock.time += 59_999;
        assert.equal(await state('other'), 'alive');
        clock.time += 1;
        assert.equal(await state('other'), 'dead');
      });

      it('is not taken for a fresh one when that time has come', async () => {
        await sign(elsewhere, -HOUR);
        await state('other');
        clock.time += HOUR;
        assert.equal(await state('other'), 'dead');
      });

      it('counts anew when its writer has touched it, by its own clock, however often', async () => {
        for (const content of unseen) {
          for (let beat = 0; beat < 10; beat += 1) {
            await sign(content, -HOUR);
            assert.equal(await state('other'), 'alive', content);
            clock.time += 5_000;
          }
        }
      });

      it('is one like any other once its writer has touched it by a clock that was set right', async () => {
        await sign(elsewhere, -HOUR);
        await state('other');
        clock.time += 19_000;
        await sign(elsewhere, 0);
        assert.equal(await state('other'), 'alive');
        clock.time += 19_999;
        assert.equal(await state('other'), 'alive');
        clock.time += 1;
        assert.equal(await state('other'), 'dead');
      });

      it('counts from the second look when the clock was set back again in between', async () => {
        await sign(elsewhere, -HOUR);
        await state('other');
        clock.time -= HOUR;
        assert.equal(await state('other'), 'alive');
        clock.time += 19_999;
        assert.equal(await state('other'), 'alive');
        clock.time += 1;
        assert.equal(await state('other'), 'dead');
      });

      it('is forgotten with the run: the next one that is as far ahead counts anew', async () => {
        const path = join(folder, 'other.alive');
        await sign(elsewhere, -HOUR);
        const { mtime } = await stat(path);
        await state('other');
        await rm(path);
        assert.equal(await state('other'), 'dead');
        clock.time += 30_000;
        await writeFile(path, elsewhere);
        await utimes(path, mtime, mtime);
        assert.equal(await state('other'), 'alive');
      });

      it('does not make a process alive that is gone', async () => {
        await sign(owner(DEAD_PID, HOST), -HOUR);
        assert.equal(await state('other'), 'dead');
      });

      it('of one writer says nothing about another', async () => {
        await sign(elsewhere, -HOUR);
        await state('other');
        clock.time += 20_000;
        const path = join(folder, 'third.alive');
        await writeFile(path, '');
        const { mtime } = await stat(join(folder, 'other.alive'));
        await utimes(path, mtime, mtime);
        assert.deepEqual([await state('third'), await state('other')], ['alive', 'dead']);
      });
    });
  });

  it('is not needed for oneself', async () => {
    assert.equal(await state('me'), 'alive');
  });

  describe('kept up by its writer', () => {
    let reports: Error[];
    let ticker: ManualTicker;
    let heartbeat: Heartbeat;
    beforeEach(() => {
      reports = [];
      ticker = new ManualTicker();
      const report = (error: Error): void => {
        reports.push(error);
      };
      heartbeat = new Heartbeat({ folder, self, clock, ticker: ticker.start, report });
    });

    const path = (): string => join(folder, 'me.alive');

    it('names process and host', async () => {
      await heartbeat.start();
      assert.deepEqual(JSON.parse(await readFile(path(), 'utf8')), { pid: process.pid, host: HOST });
      await heartbeat.stop();
    });

    it('is touched with each tick', async () => {
      await heartbeat.start();
      clock.time += 5_000;
      ticker.tick();
      await eventually(async () => (await stat(path())).mtimeMs === clock.time);
      await heartbeat.stop();
    });

    it('comes back when someone removed it', async () => {
      await heartbeat.start();
      await rm(path());
      ticker.tick();
      await eventually(async () => (await readFile(path(), 'utf8')).endsWith('}'));
      await heartbeat.stop();
    });

    it('is gone after the end, also when a beat was under way', async () => {
      for (let round = 0; round < 20; round += 1) {
        await heartbeat.start();
        await rm(path());
        ticker.tick();
        await heartbeat.stop();
        // A running beat ends within so many other operations.
        for (let operation = 0; operation < 10; operation += 1) {
          await stat(folder);
        }
        await assert.rejects(stat(path()), { code: 'ENOENT' });
      }
      assert.equal(ticker.running, 0);
    });

    it('reports a beat that failed', async () => {
      await heartbeat.start();
      await removeFolder(folder);
      ticker.tick();
      await heartbeat.stop();
      assert.equal(reports.length, 1);
      assert.match(reports[0]!.message, /the file or its folder does not exist/);
    });

    it('beats once, however often it is started', async () => {
      await heartbeat.start();
      await heartbeat.start();
      assert.equal(ticker.running, 1);
      await heartbeat.stop();
      await heartbeat.stop();
    });
  });
});

/** Waits until `holds`, up to the test's own time limit. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) {
    await setTimeout(1);
  }
}
