import type { RetryPlan } from '../chat/slices/attempts.js';
import { toErrorRecord, type LoupeError, type ErrorRecord } from '../errors.js';
import type { Clock, RandomHex } from '../ports.js';
import type { AttemptResult } from './attempt.js';

/** Most retries of a request for a reply. With the waits below they bridge an outage of about ten seconds. */
export const MOST_RETRIES = 4;

/** The first wait; each further one is twice as long, up to eight seconds. */
export const FIRST_WAIT_MS = 1_000;

/** If a server asks for a longer wait, the run fails instead: the user should know. */
export const LONGEST_ASKED_WAIT_MS = 120_000;

/** Digits of randomness in a wait: 65,536 steps. */
const JITTER_DIGITS = 4;

export type Failed = Extract<AttemptResult, { readonly outcome: 'failed' }>;

/**
 * Plans the retry of a failed request; null when it is not retried. It is retried when all of these hold:
 *
 * - The same request may succeed.
 * - Nothing of a reply has arrived: a partial reply is never continued, so it would be paid twice.
 * - It had fewer than `most` retries.
 * - The server does not ask for a wait over `LONGEST_ASKED_WAIT_MS`.
 *
 * The server says how long to wait. If it does not, the wait doubles each time, less up to a half at random, so that
 * windows that failed together do not retry together.
 */
export function planRetry(
  failed: Failed,
  { retries, most }: { readonly retries: number; readonly most: number },
  { clock, random }: { clock: Clock; random: RandomHex },
): RetryPlan | null {
  const { error, reply } = failed;
  if (!error.retryable || reply.length > 0 || retries >= most || asksTooLong(error)) {
    return null;
  }
  const wait = error.retryAfterMs ?? backOff(retries, random);
  return { at: clock.now() + wait, number: retries + 1, most };
}

function backOff(retries: number, random: RandomHex): number {
  const longest = FIRST_WAIT_MS * 2 ** retries;
  const cut = Number.parseInt(random.hex(JITTER_DIGITS), 16) / 16 ** JITTER_DIGITS;
  return Math.round(longest * (1 - cut / 2));
}

function asksTooLong({ retryAfterMs }: LoupeError): boolean {
  return retryAfterMs !== null && retryAfterMs > LONGEST_ASKED_WAIT_MS;
}

/** The error that the run ends with. Its message adds the wait that the server asks for, when that wait is too long. */
export function finalRecord(error: LoupeError): ErrorRecord {
  const record = toErrorRecord(error);
  const { retryable, retryAfterMs, message } = error;
  return !retryable || retryAfterMs === null || !asksTooLong(error)
    ? record
    : { ...record, message: `${message} The server asks to wait ${inWords(retryAfterMs)} before the next request.` };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Rounded up, so that nobody retries too early. */
function inWords(ms: number): string {
  return ms <= 2 * HOUR_MS ? `${String(Math.ceil(ms / MINUTE_MS))} minutes` : `${String(Math.ceil(ms / HOUR_MS))} hours`;
}
