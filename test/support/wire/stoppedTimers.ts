import { mock } from 'node:test';

/**
 * Stops `setTimeout` until `resumeTimers`. `mock.timers.tick` advances it. Earlier timers can still be cleared: Node's
 * mock ignores them, and a timer of fetch would then fire into a closed parser (nodejs/undici#4755).
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
