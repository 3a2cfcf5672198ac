/** Maximum number of errors to report. An error in each frame would flood the log. */
const MAX_REPORTS = 20;

/** Maximum number of characters of a message. The host rejects longer messages. */
const MAX_MESSAGE_LENGTH = 20_000;

/** An error of the browser when one frame was too short to measure all sizes. The next frame measures the rest. */
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
