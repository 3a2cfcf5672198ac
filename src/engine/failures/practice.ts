import { entries, TOO_LONG, type Numbers, type Texts } from './entry.js';

const played =
  (words: string) =>
  ({ what }: Texts<'what'>): string =>
    `You asked the practice model to fail: ${words} (${what}).`;

/** Failures that the practice model simulates, and requests that it refuses. */
export const PRACTICE_FAILURES = {
  ...entries('auth', { 'practice.badKey': played('the key is invalid') }),
  ...entries('rateLimit', { 'practice.rateLimit': played('too many requests') }),
  ...entries('overloaded', { 'practice.serverFailed': played('the server failed') }),
  ...entries(TOO_LONG, {
    'practice.playedTooLong': played('the request is longer than the model can take'),
    'practice.tooLong': ({ tokens, limit }: Numbers<'tokens' | 'limit'>) =>
      `Too long: ${tokens.toLocaleString('en-US')} tokens; the model's limit is ${limit.toLocaleString('en-US')}.`,
  }),
};
