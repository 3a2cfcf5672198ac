import type { Clock } from '../../engine/ports.js';

/** In ms: shorter work is not shown, which would only flicker. */
const BUSY_MS = 1_000;
/** In ms: who waits this long may want to cancel. A notification before that would cover the message box for nothing. */
const LONG_MS = 5_000;

export interface SlowWorkPorts {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Shows that something goes on, without words, until the promise resolves. */
  readonly showBusy: (ended: Promise<void>) => void;
  /** Offers to cancel until the promise resolves. */
  readonly offerCancel: (ended: Promise<void>, cancel: () => void) => void;
}

/** Does the work, and shows it as long as it is slow. Its result or error is passed on. Cancel aborts the signal of `work`. */
export async function slowWork<T>(work: (signal: AbortSignal) => Promise<T>, ports: SlowWorkPorts): Promise<T> {
  const abort = new AbortController();
  const waiting = new AbortController();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const isOverAfter = async (ms: number): Promise<boolean> => {
    await ports.clock.sleep(ms, waiting.signal);
    return waiting.signal.aborted;
  };
  const shown = show(isOverAfter, ended, { ...ports, cancel: abort.abort.bind(abort) });
  try {
    return await work(abort.signal);
  } finally {
    waiting.abort();
    end();
    await shown;
  }
}

type Shows = Pick<SlowWorkPorts, 'showBusy' | 'offerCancel'> & { readonly cancel: () => void };

async function show(isOverAfter: (ms: number) => Promise<boolean>, ended: Promise<void>, shows: Shows): Promise<void> {
  if (await isOverAfter(BUSY_MS)) {
    return;
  }
  shows.showBusy(ended);
  if (!(await isOverAfter(LONG_MS - BUSY_MS))) {
    shows.offerCancel(ended, shows.cancel);
  }
}
