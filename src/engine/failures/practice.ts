import { entries, MODEL_GONE, TOO_LONG, type Numbers, type Texts } from './entry.js';

const played =
  (words: string) =>
  ({ what }: Texts<'what'>): string =>
    `You asked the practice model to fail: ${words} (${what}).`;

/** The failures that the practice model plays, and the requests that it refuses. */
export const PRACTICE_FAILURES = {
  ...entries('protocol', {
    'practice.malformed': played('the request is malformed'),
    'practice.badRequest': ({ what }: Texts<'what'>) => `The practice model rejected the request: ${what}.`,
    'practice.notJson': 'The practice model received a request that is not JSON.',
    'practice.unreadable': ({ place }: Texts<'place'>) => `The practice model received an invalid request: ${place} is wrong.`,
  }),
  ...entries('auth', {
    'practice.badKey': played('the key is invalid'),
    'practice.notAllowed': played('the key may not use this model'),
  }),
  ...entries(MODEL_GONE, {
    'practice.noModel': played('there is no such model'),
    'practice.unknownModel': ({ model }: Texts<'model'>) => `There is no practice model "${model}".`,
  }),
  ...entries('timeout', {
    'practice.tookTooLong': played('the request took too long'),
    'practice.noAnswer': played('no answer came in time'),
  }),
  ...entries('rateLimit', { 'practice.rateLimit': played('too many requests') }),
  ...entries('overloaded', {
    'practice.serverFailed': played('the server failed'),
    'practice.notAvailable': played('the service is not available'),
    'practice.overloaded': played('the service is overloaded'),
  }),
  ...entries('network', { 'practice.lost': played('the connection was lost') }),
  ...entries('refused', { 'practice.refused': played('the request was refused for what it says') }),
  ...entries(TOO_LONG, {
    'practice.playedTooLong': played('the request is longer than the model can take'),
    'practice.tooLong': ({ tokens, limit }: Numbers<'tokens' | 'limit'>) =>
      `Too long: ${tokens.toLocaleString('en-US')} tokens; the model's limit is ${limit.toLocaleString('en-US')}.`,
  }),
};
