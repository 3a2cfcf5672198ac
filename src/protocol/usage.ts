import * as z from 'zod/mini';
import { id, parse, type Parsed, VIEW_MESSAGES } from './parse.js';
import { keyed, replaced } from './member.js';
import { type DeltaOf, type Members, type StateMessage, type ViewState, viewState } from './viewState.js';

/*
 * The state of the usage view, as plain JSON, and its messages to the host.
 */

/** Most chats whose models are shown at a time: more than anyone compares. */
export const MOST_OPEN_CHATS = 100;

/** A row of the table. Tokens are sums over all requests, with those that were set aside. */
export interface UsageTableRow {
  /** A chat's id, or a model's key. */
  readonly key: string;
  readonly label: string;
  readonly requests: number;
  readonly freshTokens: number;
  readonly readTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when no request has a known price, or nobody billed them. */
  readonly cost: number | null;
  /** Number of requests whose usage or price is unknown: if there are any, the sums are lower bounds. */
  readonly unknownRequests: number;
}

/** The rows of a chat's models. They are read only when the user opens the chat in the table. */
/** A row for each chat, latest first, then one for all deleted chats; null while they are being read. */
/** The sum of `chats`; null while they are being read. */
/** The models of the chats that are open in the table, by chat id. */
export type ModelRows =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'rows'; readonly rows: readonly UsageTableRow[] };

export interface UsageState {
  /** Only those that made a request. */
  readonly chats: readonly UsageTableRow[] | null;
  readonly total: UsageTableRow | null;
  readonly models: Readonly<Record<string, ModelRows>>;
  /** Why the chats could not be read; null when they could, or while they are being read. */
  readonly problem: string | null;
  /** Id of the chat that the view was opened for; null for none. */
  readonly marked: string | null;
}

const MEMBERS = {
  chats: replaced<UsageState['chats']>(),
  total: replaced<UsageState['total']>(),
  models: keyed<ModelRows>(),
  problem: replaced<UsageState['problem']>(),
  marked: replaced<UsageState['marked']>(),
} satisfies Members<UsageState>;

export type UsageDelta = DeltaOf<typeof MEMBERS>;

/** The deltas of the usage view's state. */
export const USAGE_STATE: ViewState<UsageState, UsageDelta> = viewState(MEMBERS);

export type UsageMessage = StateMessage<UsageState, UsageDelta>;

const usageToHost = z.discriminatedUnion('type', [
  ...VIEW_MESSAGES,
  /** The chats whose models are open, sent after each snapshot and each change. */
  z.strictObject({ type: z.literal('showRows'), chats: z.array(id).check(z.maxLength(MOST_OPEN_CHATS)) }),
  z.strictObject({ type: z.literal('openChat'), chatId: id }),
]);

/** The messages from the usage view to the host. */
export type UsageToHost = z.infer<typeof usageToHost>;

/** Parses what the usage view posted; never throws. */
export function parseUsageToHost(value: unknown): Parsed<UsageToHost> {
  return parse(usageToHost, value);
}
