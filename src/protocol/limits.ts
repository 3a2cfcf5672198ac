import * as z from 'zod/mini';
import { id } from './parse.js';

/* The spend limits of the user, for the popover *Limits* of the chat panel and of the usage view. In US dollars. */

/** An amount spent. `isAtLeast`: some requests have no known price and are not included. */
export interface SpentView {
  readonly usd: number;
  readonly isAtLeast: boolean;
}

export interface LimitsView {
  /** Loupe asks before a request above this price. Null for no limit, also in the other members. */
  readonly request: number | null;
  /** The limit of the chat. Null without a chat. `each`: the limit of each chat, from the settings. */
  readonly chat: { readonly limit: number | null; readonly each: number | null; readonly spent: SpentView } | null;
  /** The limit of all chats of the workspace in a day. `spent` is null when the usage cannot be read. */
  readonly day: { readonly limit: number | null; readonly spent: SpentView | null };
}

const LIMITS = ['request', 'chat', 'day'] as const;

export type LimitName = (typeof LIMITS)[number];

export const LIMIT_MESSAGES = [
  /** Reads the limits for the popover. `inChat`: the id of the chat, or null without a chat. */
  z.strictObject({ type: z.literal('showLimits'), inChat: z.nullable(id) }),
  /** Changes a limit. `usd`: null for no limit. */
  z.strictObject({
    type: z.literal('setLimit'),
    inChat: z.nullable(id),
    limit: z.enum(LIMITS),
    usd: z.nullable(z.number().check(z.minimum(0))),
  }),
  /** Opens the spend settings in VS Code's settings. */
  z.strictObject({ type: z.literal('openSpendSettings') }),
] as const;
