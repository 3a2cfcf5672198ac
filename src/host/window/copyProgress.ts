import * as vscode from 'vscode';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import { systemClock } from './systemPorts.js';

/** Delay in ms before the notification. During shorter work, the notification would only flicker. */
const SLOW_MS = 1_000;

/**
 * Runs a copy. After one second, a notification shows the progress and a Cancel button, which aborts the signal of
 * `work`. Returns or throws the outcome of `work`.
 */
export async function showCopyProgress<T>(title: string, work: (watch: CopyWatch) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let percent = 0;
  let tell = (): void => undefined;
  const done = work({
    signal: controller.signal,
    progress: (copied, total) => {
      percent = Math.floor(100 * Math.min(1, copied / Math.max(1, total)));
      tell();
    },
  });
  const waiting = new AbortController();
  const ended = done.then(
    () => true,
    () => true,
  );
  const isDone = await Promise.race([ended, systemClock.sleep(SLOW_MS, waiting.signal).then(() => false)]);
  waiting.abort();
  if (!isDone) {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => {
        controller.abort();
      });
      let told = 0;
      tell = () => {
        if (percent > told) {
          progress.report({ message: `${String(percent)}%`, increment: percent - told });
          told = percent;
        }
      };
      tell();
      await ended;
    });
  }
  return done;
}
