import type { RandomHex } from '../../engine/ports.js';

/** Secure random hex digits. Uses the global `crypto`: importing `node:crypto` would slow down activation. */
export const systemRandom: RandomHex = {
  hex: (count) =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(count / 2))))
      .toString('hex')
      .slice(0, count),
};
