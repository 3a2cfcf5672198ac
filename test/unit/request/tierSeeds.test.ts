import assert from 'node:assert/strict';
import { seededTiers, type SeedFile } from '../../../src/engine/request/layout/tierSeeds.js';

function file(users: number, group: string | null, tokens: number): SeedFile {
  return { tokens, link: { users, group } };
}

const UNKNOWN: SeedFile = { tokens: 100, link: null };

/** The tiers of the files. Tools and system prompt have no tokens, so L0 takes files until it has `target` tokens. */
function seeded(files: readonly SeedFile[], target: number, map: number): string {
  return seededTiers(files, { head: 0, map, target }).join(' ');
}

describe('the tiers of the files in the first request', () => {
  it('are active for files that are not in the reference graph', () => {
    assert.equal(seeded([UNKNOWN, UNKNOWN], 1_000, 0), 'active active');
  });

  it('give L0 the most used files, until it has enough tokens', () => {
    const files = [file(1, null, 100), file(9, null, 100), file(5, null, 100)];
    assert.equal(seeded(files, 101, 0), 'L1 L0 L0');
    assert.equal(seeded(files, 100, 0), 'L1 L0 L2');
    assert.equal(seededTiers(files, { head: 100, map: 0, target: 100 }).join(' '), 'L1 L2 L3', 'it has enough without files');
  });

  it('give L0 no file that no other file uses', () => {
    assert.equal(seeded([file(0, null, 100), UNKNOWN], 1_000, 0), 'L1 active');
  });

  it('keep files together that use each other', () => {
    assert.equal(seeded([file(1, 'a', 50), file(1, 'b', 80), file(1, 'a', 50), file(1, 'b', 80)], 0, 0), 'L2 L1 L2 L1');
  });

  it('put the largest group first, and each into the smallest tier', () => {
    const files = [file(0, null, 40), file(0, null, 50), file(0, null, 60), file(0, null, 45)];
    assert.equal(seeded(files, 0, 0), 'L3 L2 L1 L3');
  });

  it('put files alone after all groups, however large they are', () => {
    assert.equal(seeded([file(0, null, 900), file(0, 'a', 10)], 0, 0), 'L2 L1');
  });

  it('count the definitions as a part of L1', () => {
    assert.equal(seeded([file(0, null, 100), file(0, null, 90), file(0, null, 80)], 0, 500), 'L2 L3 L3');
  });
});
