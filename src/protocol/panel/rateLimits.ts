import { tokens } from '../numbers.js';

/** What a provider still allows of something, as it said with a reply. */
export interface RateLimitView {
  readonly of: 'requests' | 'tokens' | 'input-tokens' | 'output-tokens';
  readonly limit: number;
  readonly remaining: number;
  /** When all of it is there again, in epoch milliseconds; null when the provider did not say. */
  readonly resetsAt: number | null;
}

const NAMES = { requests: 'requests', tokens: 'tokens', 'input-tokens': 'input tokens', 'output-tokens': 'output tokens' } as const;

/** `12,400 of 80,000 input tokens left`, then, where it is known, `all again at 14:03`. `clock` writes a time of day. */
export function limitInWords({ of, limit, remaining, resetsAt }: RateLimitView, clock: (at: number) => string): readonly string[] {
  const left = `${tokens(remaining)} of ${tokens(limit)} ${NAMES[of]} left`;
  return resetsAt === null ? [left] : [left, `all again at ${clock(resetsAt)}`];
}
