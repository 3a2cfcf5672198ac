import { isTurnedDown } from '../chat/billedUsage.js';
import type { RetryPlan } from '../chat/slices/attempts.js';
import { toErrorRecord, type LoupeError, type ErrorRecord } from '../errors.js';
import type { Clock, RandomHex } from '../ports.js';
import type { AttemptResult } from './attempt.js';

/** Maximum retries of a request for a reply. With the waits below, they cover a failure of about ten seconds. */
export const MOST_RETRIES = 4;

/** The first wait before a retry. Each later wait is twice as long, up to eight seconds. */
export const FIRST_WAIT_MS = 1_000;

/** If a server asks for a longer wait, the run fails, so that the user learns about the wait. */
export const LONGEST_ASKED_WAIT_MS = 120_000;

/** Number of random hexadecimal digits for a wait: 65,536 steps. */
const JITTER_DIGITS = 4;

export type FailedAttempt = Extract<AttemptResult, { readonly outcome: 'failed' }>;

/**
 * Plans the retry of a failed request. Null when one of these conditions is false:
 *
 * - The same request may succeed.
 * - It is certain that the failed request is not billed. Otherwise the user decides.
 * - It had fewer than `most` retries.
 * - The server does not ask for a wait over `LONGEST_ASKED_WAIT_MS`.
 *
 * The wait is the time that the server asks for. Otherwise the wait doubles each time, minus a random part of up to
 * half. So VS Code windows that failed together do not retry together.
 */
export function planRetry(
  failed: FailedAttempt,
  { retries, most }: { readonly retries: number; readonly most: number },
  { clock, random }: { clock: Clock; random: RandomHex },
): RetryPlan | null {
  const { error } = failed;
  if (!error.retryable || mayBeBilled(failed) || retries >= most || asksTooLong(error)) {
    return null;
  }
  const wait = error.retryAfterMs ?? backOff(retries, random);
  return { at: clock.now() + wait, number: retries + 1, most };
}

/** Whether the failed request may be billed: its reply began, or may have begun at the provider. */
function mayBeBilled({ error, reply, ended: { exchange, usage } }: FailedAttempt): boolean {
  return !isTurnedDown({ error, exchange, usage, hasContent: reply.length > 0 });
}

function backOff(retries: number, random: RandomHex): number {
  const longest = FIRST_WAIT_MS * 2 ** retries;
  const cut = Number.parseInt(random.hex(JITTER_DIGITS), 16) / 16 ** JITTER_DIGITS;
  return Math.round(longest * (1 - cut / 2));
}

function asksTooLong({ retryAfterMs }: LoupeError): boolean {
  return retryAfterMs !== null && retryAfterMs > LONGEST_ASKED_WAIT_MS;
}

/** Returns the error that ends the run. Its message says if a possible charge or a long wait prevented a retry. */
export function finalRecord(failed: FailedAttempt): ErrorRecord {
  const { error, reply } = failed;
  const record = toErrorRecord(error);
  const why = error.retryable ? reasonToAsk(error, reply.length === 0 && mayBeBilled(failed)) : null;
  return why === null ? record : { ...record, message: `${error.message} ${why}` };
}

function reasonToAsk(error: LoupeError, isCostly: boolean): string | null {
  if (isCostly) {
    return 'The request may have been billed, so Loupe did not repeat it.';
  }
  return error.retryAfterMs !== null && asksTooLong(error)
    ? `The server asks to wait ${inWords(error.retryAfterMs)} before the next request.`
    : null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Returns a wait in words. Rounds up, so that the user does not retry too early. */
function inWords(ms: number): string {
  return ms <= 2 * HOUR_MS ? `${String(Math.ceil(ms / MINUTE_MS))} minutes` : `${String(Math.ceil(ms / HOUR_MS))} hours`;
}
