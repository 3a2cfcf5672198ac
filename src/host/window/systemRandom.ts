import type { RandomHex } from '../../engine/ports.js';

/** Secure random digits. From the global `crypto`: `node:crypto` would be loaded when the extension is activated. */
export const systemRandom: RandomHex = {
  hex: (count) =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(count / 2))))
      .toString('hex')
      .slice(0, count),
};
