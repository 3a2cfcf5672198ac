import { entries, MODEL_GONE, TOO_LONG, type Numbers, type Texts } from './entry.js';

const played =
  (words: string) =>
  ({ what }: Texts<'what'>): string =>
    `The practice model was asked to fail: ${words} (${what}).`;

/** The practice model: the failures that it plays, and requests that it refuses. */
export const PRACTICE_FAILURES = {
  ...entries('protocol', {
    'practice.malformed': played('the request is malformed'),
    'practice.badRequest': ({ what }: Texts<'what'>) => `The practice model refuses the request: ${what}.`,
    'practice.notJson': 'The practice model got a request that is no JSON.',
    'practice.unreadable': ({ place }: Texts<'place'>) => `The practice model got a request that it cannot read: ${place} is wrong.`,
  }),
  ...entries('auth', {
    'practice.badKey': played('the key is not valid'),
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
    'practice.tooLong': ({ tokens, limit }: Numbers<'tokens' | 'limit'>) =>
      `The request has ${tokens.toLocaleString('en-US')} tokens; the model takes at most ${limit.toLocaleString('en-US')}.`,
  }),
};
