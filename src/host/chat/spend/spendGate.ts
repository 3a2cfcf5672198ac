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
  type SpendLeave,
  type SpendLimits,
  type SpentSum,
} from '../../../engine/spend/limits.js';
import { costOfReply, type RequestCost } from '../../request/requestCost.js';
import type { RunCheck } from '../../request/compose/nextRequest.js';
import type { SessionLog } from '../sessionLog.js';
import { capFailure, dearWarning, declined } from './spendTexts.js';

/** What all chats of a window spend against. */
export interface Spending {
  limits(): SpendLimits;
  /** What the chats of the workspace have spent on the local day so far. */
  spentToday(): Promise<SpentSum>;
}

/** What a question is about: a request of a run, or one of Loupe's own. */
export type SpendSubject = 'request' | 'summary' | 'shortening' | 'title';

/** A request that waits until the user has allowed it. */
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

interface Open {
  readonly question: SpendQuestion;
  readonly answer: (isAllowed: boolean) => void;
}

/**
 * Holds each request of one chat against the limits of what is spent. What a limit objects to waits here for the user's answer; what
 * nobody is there to answer is refused.
 */
export class SpendGate {
  readonly #ports: SpendGatePorts;
  readonly #open = new Map<string, Open>();
  /** What the user has allowed for the message that is about to be answered. */
  #leave: { readonly text: string; readonly leave: SpendLeave } | null = null;

  constructor(ports: SpendGatePorts) {
    this.#ports = ports;
  }

  /** The requests that wait for the user, oldest first. */
  get questions(): readonly SpendQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** What is said of the next request, if it is one that is asked about; nothing while the question itself is on show. */
  warnings({ usd }: RequestCost): readonly string[] {
    const { askAbove } = this.#ports.spending.limits();
    return askAbove !== null && usd !== null && usd > askAbove && this.#open.size === 0 ? [dearWarning(askAbove)] : [];
  }

  /** Answers a question. Returns whether it was still open: it may have been answered elsewhere, or what it was about has ended. */
  answer(questionId: string, isAllowed: boolean): boolean {
    const open = this.#open.get(questionId);
    open?.answer(isAllowed);
    return open !== undefined;
  }

  /** Whether any limit is set: otherwise nothing needs to be composed to find what it costs. */
  get isLimited(): boolean {
    return isLimited(this.#ports.spending.limits());
  }

  /** What a limit has against a request of this cost, the hardest first. */
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

  /** Resolves to the answer of the user; to false when the signal aborts. */
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

  /** The user has allowed the first request of the run that is about to answer a message of this text. */
  permit(text: string, leave: SpendLeave): void {
    this.#leave = { text, leave };
  }

  /** Checks the requests of a run that answers `message`. */
  ofRun(message: UserMessage): RunCheck {
    const permitted = this.#leave?.text === messageText(message) ? this.#leave.leave : null;
    this.#leave = null;
    let step: string | null = null;
    let leave: SpendLeave | null = permitted;
    return async (composed, state, signal) => {
      const last = lastSent(state.timeline);
      // What was allowed is one step, with its retries.
      if (step !== null && last?.id !== step) {
        leave = null;
      }
      step = last?.id ?? null;
      const cost = costOfReply(composed, state);
      const objection = (await this.objections(cost)).find((each) => !isAllowed(leave, each, cost.usd));
      if (objection === undefined) {
        return false;
      }
      if (!(await this.ask({ about: 'request', cost, objection }, signal))) {
        throw isCap(objection) && last?.role === 'tool-results' ? capFailure(objection, cost) : declined(cost);
      }
      leave = { usd: cost.usd, overCap: true };
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
