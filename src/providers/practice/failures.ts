import { LoupeError, type ErrorKind } from '../../engine/errors.js';

/** The failures that `/error` plays, as real providers fail; `cut` is none of them, since it is no error. */
const FAILURES: Readonly<Record<string, readonly [ErrorKind, string]>> = {
  '400': ['protocol', 'the request is malformed'],
  '401': ['auth', 'the key is not valid'],
  '403': ['auth', 'the key may not use this model'],
  '404': ['modelGone', 'there is no such model'],
  '408': ['timeout', 'the request took too long'],
  '429': ['rateLimit', 'too many requests'],
  '500': ['overloaded', 'the server failed'],
  '503': ['overloaded', 'the service is not available'],
  '529': ['overloaded', 'the service is overloaded'],
  timeout: ['timeout', 'no answer came in time'],
  network: ['network', 'the connection was lost'],
  refused: ['refused', 'the request was refused for what it says'],
};

const SECOND_MS = 1_000;

/** The error for `/error {what}`, which may ask to wait; null for one that is not known. */
export function playedFailure(what: string, waitSeconds: number | null): LoupeError | null {
  const [kind, words] = (Object.hasOwn(FAILURES, what) ? FAILURES[what] : undefined) ?? [];
  if (kind === undefined || words === undefined) {
    return null;
  }
  return new LoupeError(kind, `The practice model was asked to fail: ${words} (${what}).`, {
    cause: new Error(`/error ${what}`),
    retryAfterMs: waitSeconds === null ? null : waitSeconds * SECOND_MS,
  });
}

/** A request over the input limit, real or played. Both in tokens. */
export function overflow(tokens: number, limit: number): LoupeError {
  return new LoupeError('contextOverflow', `The request has ${grouped(tokens)} tokens; the model takes at most ${grouped(limit)}.`, {
    inputLimit: limit,
  });
}

/** With commas: 128,000. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
