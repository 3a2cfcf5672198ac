import { addDollars } from '../chat/ledger.js';

/** Limits on spending without a confirmation, in US dollars; null for no limit. */
export interface SpendLimits {
  /** Loupe asks the user before a request that may cost more than this. */
  readonly askAbove: number | null;
  /** The limit for the total cost of each chat. */
  readonly capPerChat: number | null;
  /** The limit for the total cost of all chats of the workspace in one local day. */
  readonly capPerDay: number | null;
}

/** An amount spent. `isAtLeast`: some requests have no known price and are not included. */
export interface SpentSum {
  readonly usd: number;
  readonly isAtLeast: boolean;
}

/** The amounts that Loupe compares with the caps. An amount without a cap is not used. */
export interface SpentSums {
  readonly chat: SpentSum;
  readonly day: SpentSum;
}

/** Why Loupe must ask the user before it sends a request. */
export type Objection =
  | { readonly kind: 'dear'; readonly limit: number }
  | { readonly kind: 'chatCap' | 'dayCap'; readonly limit: number; readonly spent: SpentSum };

/** An objection that also applies to later requests, and so ends a tool loop. */
export type CapObjection = Exclude<Objection, { readonly kind: 'dear' }>;

/**
 * Returns the objections to a request, the strictest first: a cap limits all spending, `dear` only this request. `usd`
 * is what the request may cost: null when unknown, 0 when it is not billed.
 *
 * - `dear` applies only to a known price.
 * - A cap applies when the request would exceed it. A request with an unknown price may cost anything, so the cap
 *   applies when the spent amount reaches it. A request that is not billed never exceeds a cap.
 */
export function objectionsTo(usd: number | null, limits: SpendLimits, { chat, day }: SpentSums): readonly Objection[] {
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

/** Returns the limits of a chat with a limit of its own. The lower of two limits applies. */
export function limitsOfChat(limits: SpendLimits, ownCap: number | null): SpendLimits {
  const { capPerChat } = limits;
  return { ...limits, capPerChat: capPerChat === null || ownCap === null ? (capPerChat ?? ownCap) : Math.min(capPerChat, ownCap) };
}

export function isLimited({ askAbove, capPerChat, capPerDay }: SpendLimits): boolean {
  return askAbove !== null || capPerChat !== null || capPerDay !== null;
}

/** The user's permission to send one request. */
export interface SpendPermission {
  /** The price in the question; null when the question named no price. */
  readonly usd: number | null;
  /** Whether the user allows the request to exceed a cap. */
  readonly overCap: boolean;
}

/**
 * How much more a request may cost than the price in the question. Between the question and the request, Loupe selects
 * context again, and the provider may count the tokens. With a larger difference, the permission does not apply.
 */
const PERMISSION_TOLERANCE = 1.1;

/** Whether the user already allowed this objection for a request of this price. */
export function isAllowed(leave: SpendPermission | null, objection: Objection, usd: number | null): boolean {
  if (leave === null) {
    return false;
  }
  const isAsNamed = leave.usd !== null && usd !== null && usd <= leave.usd * PERMISSION_TOLERANCE;
  return objection.kind === 'dear' ? isAsNamed : leave.overCap && (leave.usd === null || usd === null || isAsNamed);
}
