import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { AbortRace } from '../../../src/engine/run/abortRace.js';

const NEVER = new Promise<never>(() => undefined);

describe('a race against an abort', () => {
  it('gives what settles first, again and again, failures as well', async () => {
    const race = new AbortRace(new AbortController().signal);
    assert.equal(await race.first([NEVER, Promise.resolve(1)]), 1);
    await assert.rejects(race.first([NEVER, Promise.reject(new Error('broken'))]), /broken/);
    assert.equal(await race.first([Promise.resolve(2), NEVER]), 2);
  });

  it('ends the wait that goes on with the abort, and each one after it at once', async () => {
    const abort = new AbortController();
    const race = new AbortRace(abort.signal);
    assert.equal(await race.first([Promise.resolve(1)]), 1);
    const waiting = race.first([NEVER]);
    abort.abort();
    assert.equal(await waiting, 'aborted');
    assert.equal(await race.first([NEVER]), 'aborted');
  });

  it('is over at once when the abort came before it', async () => {
    assert.equal(await new AbortRace(AbortSignal.abort()).first([NEVER]), 'aborted');
  });

  it('has one listener, however long it lasts, and leaves none behind', async () => {
    const { signal } = new AbortController();
    const race = new AbortRace(signal);
    for (let wait = 0; wait < 20; wait += 1) {
      await race.first([Promise.resolve(wait)]);
    }
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    race.dispose();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
