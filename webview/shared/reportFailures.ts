/** Most failures to report, because one that repeats with each frame would flood the log. */
const MAX_REPORTS = 20;

/** Most characters of a message. The protocol accepts no longer message. */
const MAX_MESSAGE_LENGTH = 20_000;

/** The browser reports this error when one frame was too short to measure everything. The next frame continues. */
const HARMLESS = 'ResizeObserver loop';

export interface WebviewError {
  readonly type: 'webviewError';
  readonly message: string;
}

/** Reports every uncaught error to the host's log and to the user. */
export function reportFailures(send: (message: WebviewError) => void, show: (message: string) => void): void {
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
