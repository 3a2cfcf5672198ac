import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Sha256 } from '../../engine/ports.js';

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, { signal });
    } catch (thrown) {
      if (!signal.aborted) {
        throw thrown;
      }
    }
  },
};

export const sha256: Sha256 = (text) => hash('sha256', text);

/** Converts epoch milliseconds to local time, stored as if it were UTC. */
export function localTime(at: number): number {
  return at - new Date(at).getTimezoneOffset() * MINUTE_MS;
}

const MINUTE_MS = 60_000;
