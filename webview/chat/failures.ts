import type { ToHost } from '../../src/protocol/toHost.js';

/** A failure that repeats at each frame must not flood the log. */
const MAX_REPORTS = 20;

/** What the protocol takes. */
const MAX_MESSAGE_LENGTH = 20_000;

/** The browser says this when a frame was too short to measure everything; it measures the rest in the next one. */
const HARMLESS = 'ResizeObserver loop';

/** Reports every failure that nothing caught to the host's log, and shows the user that there was one. */
export function reportFailures(send: (message: ToHost) => void, show: (message: string) => void): void {
  let reports = 0;
  const report = (cause: unknown): void => {
    reports += 1;
    if (reports > MAX_REPORTS) {
      return;
    }
    const error = cause instanceof Error ? cause : new Error(String(cause));
    send({ type: 'webviewError', message: (error.stack ?? error.message).slice(0, MAX_MESSAGE_LENGTH) });
    show(error.message);
  };
  window.addEventListener('error', (event) => {
    if (!event.message.startsWith(HARMLESS)) {
      report(event.error ?? event.message);
    }
  });
  window.addEventListener('unhandledrejection', (event) => {
    report(event.reason);
  });
}
