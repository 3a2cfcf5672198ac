import { createHash } from 'node:crypto';
import type { RandomHex } from '../../../src/engine/ports.js';

/** Random digits that differ between calls and windows, and are the same in each run. */
export function randomOf(name: string): RandomHex {
  let calls = 0;
  return {
    hex(count) {
      calls += 1;
      return createHash('sha256')
        .update(`${name} ${String(calls)}`)
        .digest('hex')
        .slice(0, count);
    },
  };
}
