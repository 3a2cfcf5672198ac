import type { BreakpointRules } from './cacheRules.js';
import type { Block, ChatRequest } from './content.js';

/** What a policy is told beside the request. The future is no part of it. */
export interface PolicyContext {
  readonly rules: BreakpointRules;
}

/** How a client lays out the requests of one chat, one after the other. */
export interface Policy {
  plan(request: ChatRequest, context: PolicyContext): readonly Block[];
}

/** A client's policy, as a row of the table. */
export interface Contestant {
  readonly name: string;
  /** Whether a client works like this as it comes; others are variants that show what a part of a policy brings. */
  readonly isClient: boolean;
  /** The client's requests in silence, that keep its entries alive; null for a client that sends none. */
  readonly pings: Pings | null;
  /** Once for each chat. */
  create(): Policy;
}

export interface Pings {
  readonly everySeconds: number;
  /** In one silence. */
  readonly most: number;
}
