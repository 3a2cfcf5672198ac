import { failure, type LoupeError } from '../../engine/errors.js';
import type { PRACTICE_FAILURES } from '../../engine/failures/practice.js';

/** The failures that `/error` plays, as real providers send them. `cut` is not among them, because it is no error. */
const PLAYED = {
  '400': 'practice.malformed',
  '401': 'practice.badKey',
  '403': 'practice.notAllowed',
  '404': 'practice.noModel',
  '408': 'practice.tookTooLong',
  '429': 'practice.rateLimit',
  '500': 'practice.serverFailed',
  '503': 'practice.notAvailable',
  '529': 'practice.overloaded',
  timeout: 'practice.noAnswer',
  network: 'practice.lost',
  refused: 'practice.refused',
} as const satisfies Readonly<Record<string, keyof typeof PRACTICE_FAILURES>>;

const SECOND_MS = 1_000;

/** The error for `/error {what}`, with the wait it asks for; null for an unknown `what`. */
export function playedFailure(what: string, waitSeconds: number | null): LoupeError | null {
  if (!isPlayed(what)) {
    return null;
  }
  const retryAfterMs = waitSeconds === null ? null : waitSeconds * SECOND_MS;
  return failure(PLAYED[what], { what }, { cause: new Error(`/error ${what}`), retryAfterMs });
}

function isPlayed(what: string): what is keyof typeof PLAYED {
  return Object.hasOwn(PLAYED, what);
}

/** The error for `/error overflow`. It tells the limit in tokens, as providers do. */
export function playedOverflow(limit: number): LoupeError {
  return failure('practice.playedTooLong', { what: 'overflow' }, { inputLimit: limit });
}

/** The error of a request over the input limit. Both figures are tokens. */
export function overflow(tokens: number, limit: number): LoupeError {
  return failure('practice.tooLong', { tokens, limit }, { inputLimit: limit });
}

/** `1 word`, `2,000 words`. */
export function counted(count: number, singular: string): string {
  return `${grouped(count)} ${singular}${count === 1 ? '' : 's'}`;
}

/** With commas: 128,000. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
