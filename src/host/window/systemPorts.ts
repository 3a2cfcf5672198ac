import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Sha256 } from '../../engine/ports.js';

/** The engine's ports on the real machine. */
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

/** The local time of an instant, as milliseconds since the epoch on the wall's clock. */
export function localTime(at: number): number {
  return at - new Date(at).getTimezoneOffset() * MINUTE_MS;
}

const MINUTE_MS = 60_000;
