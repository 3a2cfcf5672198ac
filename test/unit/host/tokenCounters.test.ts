import assert from 'node:assert/strict';
import type { LoupeError } from '../../../src/engine/errors.js';
import { column } from '../../support/columns.js';
import { failureOf } from '../../support/failures.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { TokenCounters } from '../../../src/host/models/tokens/counters.js';
import { characters } from '../../support/engine/ports.js';

function countersOf(broken: number): { readonly counters: TokenCounters; readonly loads: string[]; readonly errors: LoupeError[] } {
  const loads: string[] = [];
  const errors: LoupeError[] = [];
  const load = (id: string): Promise<TokenCounter> => {
    loads.push(id);
    return loads.length <= broken ? Promise.reject(failureOf('storage', `No table of ${id}.`)) : Promise.resolve(characters);
  };
  const counters = new TokenCounters(load, (error) => {
    errors.push(error);
  });
  return { counters, loads, errors };
}

describe('the token counters', () => {
  it('are loaded once each, when first asked for', async () => {
    const { counters, loads } = countersOf(0);
    assert.deepEqual(loads, []);
    assert.deepEqual(await Promise.all([counters.get('x'), counters.get('x'), counters.get('y')]), [characters, characters, characters]);
    assert.deepEqual(loads, ['x', 'y']);
  });

  it('are the rough one while they cannot be loaded, with one line in the log for each, and are tried again', async () => {
    const { counters, errors } = countersOf(3);
    assert.deepEqual(
      [await counters.get('x'), await counters.get('x'), await counters.get('y')],
      [ROUGH_COUNTER, ROUGH_COUNTER, ROUGH_COUNTER],
    );
    assert.deepEqual(column(errors, 'message'), ['No table of x.', 'No table of y.']);
    assert.equal(await counters.get('x'), characters);
  });

  it('have the rough one by its own id, which the records of requests name', async () => {
    const { counters, loads } = countersOf(0);
    assert.equal(await counters.get(ROUGH_COUNTER.id), ROUGH_COUNTER);
    assert.deepEqual(loads, []);
  });
});
