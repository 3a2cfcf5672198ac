import { mock } from 'node:test';

/**
 * Stops `setTimeout` until `resumeTimers`; `mock.timers.tick` moves it. Timers that ran before can still be cleared: Node's
 * mock ignores them, and a timer of fetch that was to be cleared then fires into a parser that is gone (nodejs/undici#4755).
 */
export function stopTimers(): void {
  const clearRunning = globalThis.clearTimeout;
  mock.timers.enable({ apis: ['setTimeout'] });
  const clearStopped = globalThis.clearTimeout;
  globalThis.clearTimeout = (timer) => {
    clearRunning(timer);
    clearStopped(timer);
  };
}

export function resumeTimers(): void {
  mock.timers.reset();
}
