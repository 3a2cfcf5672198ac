import { addDollars } from '../chat/ledger.js';

/** What the user wants to spend at most without a word, in US dollars; null for no limit. */
export interface SpendLimits {
  /** A request that may cost more is asked about. */
  readonly askAbove: number | null;
  /** For each chat as a whole. */
  readonly capPerChat: number | null;
  /** For the chats of the workspace together, from midnight to midnight of the local day. */
  readonly capPerDay: number | null;
}

/** What was spent. `isAtLeast`: the price of some of the requests is not known, and counts nothing. */
export interface SpentSum {
  readonly usd: number;
  readonly isAtLeast: boolean;
}

/** What was spent that counts against a cap. A sum that no cap is set for is not read. */
export interface SpentBefore {
  readonly chat: SpentSum;
  readonly day: SpentSum;
}

/** Why a request may not be sent without a word. */
export type Objection =
  | { readonly kind: 'dear'; readonly limit: number }
  | { readonly kind: 'chatCap' | 'dayCap'; readonly limit: number; readonly spent: SpentSum };

/** An objection that holds until more may be spent: it also ends a tool loop. */
export type CapObjection = Exclude<Objection, { readonly kind: 'dear' }>;

/**
 * What the limits have against a request, the hardest first: a cap stands for all that was spent, and a dear request only for itself.
 * `usd` is what the request may cost; null when that is not known, 0 when it is not billed.
 *
 * - Dear is only what has a known price.
 * - A cap holds back a request that would take the sum over it. One whose price is not known may cost anything, so it is held back as
 *   soon as the cap is reached. What is not billed is never held back.
 */
export function objectionsTo(usd: number | null, limits: SpendLimits, { chat, day }: SpentBefore): readonly Objection[] {
  const { askAbove, capPerChat, capPerDay } = limits;
  return [
    ...capObjection('chatCap', usd, capPerChat, chat),
    ...capObjection('dayCap', usd, capPerDay, day),
    ...(askAbove !== null && usd !== null && usd > askAbove ? [{ kind: 'dear', limit: askAbove } as const] : []),
  ];
}

function capObjection(kind: CapObjection['kind'], usd: number | null, limit: number | null, spent: SpentSum): readonly CapObjection[] {
  if (limit === null || usd === 0) {
    return [];
  }
  const isOver = usd === null ? spent.usd >= limit : addDollars(spent.usd, usd) > limit;
  return isOver ? [{ kind, limit, spent }] : [];
}

/** Whether any limit is set. */
export function isLimited({ askAbove, capPerChat, capPerDay }: SpendLimits): boolean {
  return askAbove !== null || capPerChat !== null || capPerDay !== null;
}

/** What the user has allowed: one request. */
export interface SpendLeave {
  /** What it was to cost; null where no price was named. */
  readonly usd: number | null;
  /** Whether it may go over a cap. */
  readonly overCap: boolean;
}

/**
 * A request may be so much dearer than the one that was asked about: between the question and the sending, what fits the message is
 * picked anew, and its provider may count it. More than that would be another request.
 */
const LEAVE_TOLERANCE = 1.1;

/** Whether the user has already allowed what an objection is about, for a request of this price. */
export function isAllowed(leave: SpendLeave | null, objection: Objection, usd: number | null): boolean {
  if (leave === null) {
    return false;
  }
  const isAsNamed = leave.usd !== null && usd !== null && usd <= leave.usd * LEAVE_TOLERANCE;
  return objection.kind === 'dear' ? isAsNamed : leave.overCap && (leave.usd === null || usd === null || isAsNamed);
}
