import { ledgerTotals } from '../../../engine/chat/ledger.js';
import { newId } from '../../../engine/chat/order/ids.js';
import { isSent, messageText, type SentMessage, type UserMessage } from '../../../engine/chat/message/message.js';
import type { Timeline } from '../../../engine/chat/timeline.js';
import type { Clock, RandomHex } from '../../../engine/ports.js';
import {
  isAllowed,
  isLimited,
  objectionsTo,
  type CapObjection,
  type Objection,
  type SpendPermission,
  type SpendLimits,
  type SpentSum,
} from '../../../engine/spend/limits.js';
import { costOfReply, type RequestCost } from '../../request/requestCost.js';
import type { Behaviour, RunCheck } from '../behaviours/behaviour.js';
import type { SessionLog } from '../sessionLog.js';
import { capFailure, declinedFailure } from './spendTexts.js';

/** Returns the spend limits and the cost of the day. One object serves all chats of a window. */
export interface Spending {
  limits(): SpendLimits;
  /** Returns the cost of all chats of the workspace on the current local day. */
  spentToday(): Promise<SpentSum>;
}

/** What the user is asked to pay for: a request of a run, or a request for Loupe's own purposes. */
export type SpendSubject = 'request' | 'summary' | 'shortening' | 'title';

export interface SpendQuestion {
  readonly id: string;
  readonly about: SpendSubject;
  readonly cost: RequestCost;
  readonly objection: Objection;
}

export interface SpendGatePorts {
  readonly log: Pick<SessionLog, 'state' | 'changed'>;
  readonly workspaceSpending: Spending;
  readonly clock: Clock;
  readonly random: RandomHex;
}

/**
 * Checks each request of one chat against the spend limits. A request above a limit waits until the user approves it.
 * When no user can answer, the request is refused.
 */
export class SpendGate implements Behaviour {
  readonly #ports: SpendGatePorts;
  readonly #open = new Map<string, { readonly question: SpendQuestion; readonly answer: (isAllowed: boolean) => void }>();
  /** The user's approval from before the run, for the next message with this text. */
  #leave: { readonly text: string; readonly leave: SpendPermission } | null = null;

  constructor(ports: SpendGatePorts) {
    this.#ports = ports;
  }

  /** The questions for approval that are not answered yet, oldest first. */
  get questions(): readonly SpendQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Returns the ask limit if a request of this cost is above it. Null otherwise, and while a question is shown. */
  askLimitBelow({ usd }: Pick<RequestCost, 'usd'>): number | null {
    const { askAbove } = this.#ports.workspaceSpending.limits();
    return askAbove !== null && usd !== null && usd > askAbove && this.#open.size === 0 ? askAbove : null;
  }

  /** Gives the user's answer to the waiting request. Returns false when this request no longer waits for an answer. */
  answer(questionId: string, isAllowed: boolean): boolean {
    const open = this.#open.get(questionId);
    open?.answer(isAllowed);
    return open !== undefined;
  }

  /** Whether any limit is set. Without a limit, Loupe need not compose a request only for its cost. */
  get isLimited(): boolean {
    return isLimited(this.#ports.workspaceSpending.limits());
  }

  /** Returns the limits that a request of this cost would exceed, strictest first. */
  async objections({ usd }: Pick<RequestCost, 'usd'>): Promise<readonly Objection[]> {
    const { workspaceSpending, log } = this.#ports;
    const limits = workspaceSpending.limits();
    if (!isLimited(limits)) {
      return [];
    }
    const { cost, unknownAttempts } = ledgerTotals(log.state);
    const chat = { usd: cost ?? 0, isAtLeast: unknownAttempts > 0 };
    const day = limits.capPerDay === null ? { usd: 0, isAtLeast: false } : await workspaceSpending.spentToday();
    return objectionsTo(usd, limits, { chat, day });
  }

  /** Shows a question. Resolves to the user's answer, or to false when the signal aborts. */
  ask(asked: Omit<SpendQuestion, 'id'>, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) {
      return Promise.resolve(false);
    }
    const id = newId(this.#ports.clock, this.#ports.random);
    return new Promise((resolve) => {
      const answer = (isAllowed: boolean): void => {
        signal.removeEventListener('abort', end);
        this.#open.delete(id);
        this.#ports.log.changed('state');
        resolve(isAllowed);
      };
      const end = (): void => {
        answer(false);
      };
      signal.addEventListener('abort', end);
      this.#open.set(id, { question: { id, ...asked }, answer });
      this.#ports.log.changed('state');
    });
  }

  /** Stores the user's approval for the first step of the next run that answers a message with this text. */
  permit(text: string, leave: SpendPermission): void {
    this.#leave = { text, leave };
  }

  requestComposed(message: UserMessage): RunCheck {
    const permitted = this.#leave?.text === messageText(message) ? this.#leave.leave : null;
    this.#leave = null;
    let step: string | null = null;
    let permission: SpendPermission | null = permitted;
    return async (composed, state, signal) => {
      const last = lastSent(state.timeline);
      // An approval is valid for one step and its repeated attempts.
      if (step !== null && last?.id !== step) {
        permission = null;
      }
      step = last?.id ?? null;
      const cost = costOfReply(composed, state);
      const objection = (await this.objections(cost)).find((each) => !isAllowed(permission, each, cost.usd));
      if (objection === undefined) {
        return false;
      }
      if (!(await this.ask({ about: 'request', cost, objection }, signal))) {
        throw isCap(objection) && last?.role === 'tool-results' ? capFailure(objection, cost) : declinedFailure(cost);
      }
      permission = { usd: cost.usd, overCap: true };
      return true;
    };
  }
}

function lastSent(timeline: Timeline): SentMessage | null {
  const item = timeline.findLast((each) => each.kind === 'message' && isSent(each.message));
  return item?.kind === 'message' && isSent(item.message) ? item.message : null;
}

function isCap(objection: Objection): objection is CapObjection {
  return objection.kind !== 'dear';
}
