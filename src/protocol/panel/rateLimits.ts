import { tokens } from '../numbers.js';

/** A rate limit that a provider reported together with a reply. */
export interface RateLimitView {
  readonly of: 'requests' | 'tokens' | 'input-tokens' | 'output-tokens';
  readonly limit: number;
  readonly remaining: number;
  /** When the full limit is available again, in epoch milliseconds. Null if the provider did not report this. */
  readonly resetsAt: number | null;
}

const NAMES = { requests: 'requests', tokens: 'tokens', 'input-tokens': 'input tokens', 'output-tokens': 'output tokens' } as const;

/** Returns `12,400 of 80,000 input tokens left`, and `limit resets at 14:03` if known. `clock` formats a time. */
export function limitInWords({ of, limit, remaining, resetsAt }: RateLimitView, clock: (at: number) => string): readonly string[] {
  const left = `${tokens(remaining)} of ${tokens(limit)} ${NAMES[of]} left`;
  return resetsAt === null ? [left] : [left, `limit resets at ${clock(resetsAt)}`];
}
