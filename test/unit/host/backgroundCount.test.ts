import assert from 'node:assert/strict';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { ModelClient } from '../../../src/engine/model/model.js';
import { BackgroundCount, COUNT_DELAY_MS, FAILED_PAUSE_MS } from '../../../src/engine/next/backgroundCount.js';
import type { Countable } from '../../../src/engine/next/compose.js';
import { column } from '../../support/columns.js';
import { OPEN_MODEL } from '../../support/engine/models.js';
import { ManualClock, settled } from '../../support/engine/ports.js';
import { failureOf } from '../../support/failures.js';

interface Asked {
  readonly body: string;
  readonly signal: AbortSignal;
  answer(tokens: number): void;
  fail(error: LoupeError): void;
}

class Rig {
  readonly clock = new ManualClock();
  readonly asked: Asked[] = [];
  readonly errors: string[] = [];
  readonly counting = new BackgroundCount({ clock: this.clock, logError: (error) => this.errors.push(error.message) });
  readonly arrivals: (number | null)[] = [];

  constructor() {
    this.counting.onCounted(() => this.arrivals.push(this.counting.find('a')));
  }

  countable(hash: string): Countable {
    const client: ModelClient = {
      convert: () => assert.fail('It is converted already.'),
      stream: () => assert.fail('Nothing is sent.'),
      countTokens: (_model, { body }, signal) =>
        new Promise((resolve, reject) => this.asked.push({ body, signal, answer: resolve, fail: reject })),
    };
    return { model: OPEN_MODEL, client, wire: () => ({ body: `body ${hash}`, converterVersion: 'test/1' }), hash };
  }

  /** Asks for a count and ends the pause. */
  async ask(hash: string): Promise<Asked | undefined> {
    const before = this.asked.length;
    this.counting.want(this.countable(hash));
    await this.clock.pass(COUNT_DELAY_MS);
    return this.asked.slice(before)[0];
  }
}

describe('counting in the background', () => {
  it('asks the provider after a pause, and tells of the count', async () => {
    const rig = new Rig();
    rig.counting.want(rig.countable('a'));
    await rig.clock.pass(COUNT_DELAY_MS - 1);
    assert.equal(rig.asked.length, 0);
    await rig.clock.pass(1);
    assert.equal(rig.asked.map(({ body }) => body).join(), 'body a');
    assert.equal(rig.counting.find('a'), null);
    const [asked] = rig.asked;
    asked?.answer(42);
    await settled();
    assert.deepEqual([rig.counting.find('a'), rig.counting.find('b'), rig.arrivals], [42, null, [42]]);
  });

  it('counts only the latest of several drafts', async () => {
    const rig = new Rig();
    for (const hash of ['a', 'b', 'c']) {
      rig.counting.want(rig.countable(hash));
      await rig.clock.pass(COUNT_DELAY_MS - 1);
    }
    await rig.clock.pass(COUNT_DELAY_MS);
    assert.deepEqual(column(rig.asked, 'body'), ['body c']);
    assert.equal(rig.clock.sleeping, 0);
  });

  it('gives up a count that nobody wants any more, and takes no late answer', async () => {
    const rig = new Rig();
    const first = await rig.ask('a');
    const second = await rig.ask('b');
    assert.deepEqual([first?.signal.aborted, second?.signal.aborted], [true, false]);
    first?.answer(1);
    await settled();
    assert.deepEqual([rig.counting.find('a'), rig.arrivals], [null, []]);
    second?.answer(2);
    await settled();
    assert.equal(rig.counting.find('b'), 2);
  });

  it('does not begin again for the body that is being counted', async () => {
    const rig = new Rig();
    const first = await rig.ask('a');
    assert.equal(await rig.ask('a'), undefined);
    assert.equal(first?.signal.aborted, false);
  });

  it('counts each body once', async () => {
    const rig = new Rig();
    (await rig.ask('a'))?.answer(1);
    await settled();
    assert.equal(await rig.ask('a'), undefined);
    assert.equal(rig.clock.sleeping, 0);
  });

  it('stops when nothing is to be counted', async () => {
    for (const stop of [
      (rig: Rig) => {
        rig.counting.want(null);
      },
      (rig: Rig) => {
        rig.counting.cancel();
      },
    ]) {
      const rig = new Rig();
      rig.counting.want(rig.countable('a'));
      stop(rig);
      await rig.clock.pass(COUNT_DELAY_MS);
      assert.deepEqual([rig.asked, rig.clock.sleeping], [[], 0]);
      const asked = await rig.ask('b');
      stop(rig);
      assert.equal(asked?.signal.aborted, true);
    }
  });

  it('counts nothing more when the chat is closed', async () => {
    const rig = new Rig();
    const asked = await rig.ask('a');
    rig.counting.close();
    assert.equal(asked?.signal.aborted, true);
    assert.equal(await rig.ask('b'), undefined);
    assert.equal(rig.clock.sleeping, 0);
  });

  it('logs a failure once for each model, and leaves it alone for some minutes', async () => {
    const rig = new Rig();
    (await rig.ask('a'))?.fail(failureOf('protocol', 'No such path.'));
    await settled();
    assert.equal(await rig.ask('a'), undefined);
    assert.equal(await rig.ask('b'), undefined);
    await rig.clock.pass(FAILED_PAUSE_MS);
    (await rig.ask('b'))?.fail(failureOf('network', 'Lost.'));
    await settled();
    await rig.clock.pass(FAILED_PAUSE_MS);
    assert.deepEqual([rig.errors, rig.arrivals, rig.counting.find('a')], [['No such path.'], [], null]);
    (await rig.ask('c'))?.answer(3);
    await settled();
    assert.equal(rig.counting.find('c'), 3);
  });

  it('logs nothing of a count that was given up', async () => {
    const rig = new Rig();
    const asked = await rig.ask('a');
    rig.counting.cancel();
    asked?.fail(failureOf('cancelled', 'Stopped.'));
    await settled();
    assert.deepEqual(rig.errors, []);
    assert.notEqual(await rig.ask('a'), undefined);
  });

  it('forgets the oldest counts', async () => {
    const rig = new Rig();
    for (let index = 0; index <= 50; index += 1) {
      (await rig.ask(`hash ${index}`))?.answer(index);
      await settled();
    }
    assert.deepEqual([rig.counting.find('hash 0'), rig.counting.find('hash 1'), rig.counting.find('hash 50')], [null, 1, 50]);
  });

  it('tells once of the counts that may be billed, with those that were given up and without those that were turned down', async () => {
    const rig = new Rig();
    (await rig.ask('a'))?.answer(1);
    await settled();
    await rig.ask('b');
    (await rig.ask('c'))?.answer(1);
    await settled();
    (await rig.ask('d'))?.fail(failureOf('auth', 'No key.'));
    await settled();
    const made = rig.counting
      .takeMade()
      .map(({ purpose, requests, usage, cost, isUnbilled }) => [purpose, requests, usage, cost, isUnbilled]);
    assert.deepEqual(made, [
      ['count', 3, null, null, false],
      ['count', 1, null, null, true],
    ]);
    assert.deepEqual(rig.counting.takeMade(), []);
  });

  it('tells nothing of counts that are free', async () => {
    const rig = new Rig();
    const { model, ...countable } = rig.countable('a');
    rig.counting.want({ ...countable, model: { ...model, capabilities: { ...model.capabilities, freeCounts: true } } });
    await rig.clock.pass(COUNT_DELAY_MS);
    assert.deepEqual([rig.asked.length, rig.counting.takeMade()], [1, []]);
  });
});
