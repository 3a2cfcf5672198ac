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
import type { RunCheck } from '../../request/compose/nextRequest.js';
import type { SessionLog } from '../sessionLog.js';
import { capFailure, dearWarning, declinedFailure } from './spendTexts.js';

/** The spend limits and the daily cost, shared by all chats of a window. */
export interface Spending {
  limits(): SpendLimits;
  /** Returns the cost of the workspace's chats on the current local day. */
  spentToday(): Promise<SpentSum>;
}

/** The subject of a question: a request of a run, or one for Loupe's own purposes. */
export type SpendSubject = 'request' | 'summary' | 'shortening' | 'title';

export interface SpendQuestion {
  readonly id: string;
  readonly about: SpendSubject;
  readonly cost: RequestCost;
  readonly objection: Objection;
}

export interface SpendGatePorts {
  readonly log: Pick<SessionLog, 'state' | 'changed'>;
  readonly spending: Spending;
  readonly clock: Clock;
  readonly random: RandomHex;
}

interface PendingSpendQuestion {
  readonly question: SpendQuestion;
  readonly answer: (isAllowed: boolean) => void;
}

/**
 * Checks each request of one chat against the spend limits. A request over a limit waits here for approval, or is
 * refused when no user can answer.
 */
export class SpendGate {
  readonly #ports: SpendGatePorts;
  readonly #open = new Map<string, PendingSpendQuestion>();
  /** The user's approval for the next message to be answered. */
  #leave: { readonly text: string; readonly leave: SpendPermission } | null = null;

  constructor(ports: SpendGatePorts) {
    this.#ports = ports;
  }

  /** The requests that wait for approval, oldest first. */
  get questions(): readonly SpendQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Returns the warning for the next request when it will need approval. Empty while a question is shown. */
  warnings({ usd }: RequestCost): readonly string[] {
    const { askAbove } = this.#ports.spending.limits();
    return askAbove !== null && usd !== null && usd > askAbove && this.#open.size === 0 ? [dearWarning(askAbove)] : [];
  }

  /** Answers a question. Returns false when it was answered elsewhere, or its subject has ended. */
  answer(questionId: string, isAllowed: boolean): boolean {
    const open = this.#open.get(questionId);
    open?.answer(isAllowed);
    return open !== undefined;
  }

  /** Whether any limit is set. Without limits, no request needs to be composed just to find its cost. */
  get isLimited(): boolean {
    return isLimited(this.#ports.spending.limits());
  }

  /** Returns the limits that a request of this cost exceeds, strictest first. */
  async objections({ usd }: Pick<RequestCost, 'usd'>): Promise<readonly Objection[]> {
    const { spending, log } = this.#ports;
    const limits = spending.limits();
    if (!isLimited(limits)) {
      return [];
    }
    const { cost, unknownAttempts } = ledgerTotals(log.state);
    const chat = { usd: cost ?? 0, isAtLeast: unknownAttempts > 0 };
    const day = limits.capPerDay === null ? { usd: 0, isAtLeast: false } : await spending.spentToday();
    return objectionsTo(usd, limits, { chat, day });
  }

  /** Resolves to the user's answer, or to false when the signal aborts. */
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

  /** Records that the user approved the first request of the next run that answers a message with this text. */
  permit(text: string, leave: SpendPermission): void {
    this.#leave = { text, leave };
  }

  ofRun(message: UserMessage): RunCheck {
    const permitted = this.#leave?.text === messageText(message) ? this.#leave.leave : null;
    this.#leave = null;
    let step: string | null = null;
    let permission: SpendPermission | null = permitted;
    return async (composed, state, signal) => {
      const last = lastSent(state.timeline);
      // An approval covers one step, including retries.
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
