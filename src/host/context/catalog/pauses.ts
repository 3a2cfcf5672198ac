import { setImmediate } from 'node:timers/promises';

/** Maximum time of work without a pause, in ms. Users do not notice such a short delay. */
const MOST_AT_ONCE_MS = 10;

/** Returns a function to call between the parts of long work. It lets other work run if the last pause was long ago. */
export function pauses(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began > MOST_AT_ONCE_MS) {
      await setImmediate();
      began = performance.now();
    }
  };
}
