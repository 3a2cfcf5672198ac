import * as vscode from 'vscode';
import type { CopyWatch } from '../storage/copyChat.js';
import { systemClock } from './systemPorts.js';

/** What takes no longer needs no notification that comes and goes. */
const SLOW_MS = 1_000;

/**
 * Copies something, and shows how far it is, with a button to cancel it, as soon as it takes longer than a second.
 * Cancelling aborts the signal of `work`; what it then resolves to or throws is passed on.
 */
export async function showCopying<T>(title: string, work: (watch: CopyWatch) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const share = new Share();
  const done = work({
    signal: controller.signal,
    progress: (copied, total) => {
      share.set(copied / Math.max(1, total));
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
      share.show((percent, more) => {
        progress.report({ message: `${String(percent)} %`, increment: more });
      });
      await ended;
    });
  }
  return done;
}

/** How much is done, in whole per cent; told as it grows, from when somebody looks. */
class Share {
  #percent = 0;
  #told = 0;
  #report: ((percent: number, more: number) => void) | null = null;

  set(share: number): void {
    this.#percent = Math.floor(100 * Math.min(1, share));
    this.#tell();
  }

  show(report: (percent: number, more: number) => void): void {
    this.#report = report;
    this.#tell();
  }

  #tell(): void {
    if (this.#report !== null && this.#percent > this.#told) {
      this.#report(this.#percent, this.#percent - this.#told);
      this.#told = this.#percent;
    }
  }
}
