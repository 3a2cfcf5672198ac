import type { Clock } from '../../engine/ports.js';

/** Delay in ms before progress is visible. During shorter work, progress would only flicker. */
const BUSY_MS = 1_000;
/** Delay in ms before the notification with Cancel, which covers the message box. */
const LONG_MS = 5_000;

export interface SlowWorkPorts {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Shows progress without text until the promise resolves. */
  readonly showBusy: (ended: Promise<void>) => void;
  /** Offers a cancel until the promise resolves. */
  readonly offerCancel: (ended: Promise<void>, cancel: () => void) => void;
}

/** Runs `work`, with progress if it is slow. A cancel aborts the signal. Returns or throws the outcome of `work`. */
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

type ProgressPorts = Pick<SlowWorkPorts, 'showBusy' | 'offerCancel'> & { readonly cancel: () => void };

async function show(isOverAfter: (ms: number) => Promise<boolean>, ended: Promise<void>, shows: ProgressPorts): Promise<void> {
  if (await isOverAfter(BUSY_MS)) {
    return;
  }
  shows.showBusy(ended);
  if (!(await isOverAfter(LONG_MS - BUSY_MS))) {
    shows.offerCancel(ended, shows.cancel);
  }
}
