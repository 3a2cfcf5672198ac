import { ledgerTotals } from '../../../engine/chat/ledger.js';
import type { ChatEvent } from '../../../engine/chat/event.js';
import { type LoupeError, toLoupeError } from '../../../engine/errors.js';
import { newId } from '../../../engine/chat/order/ids.js';
import { isSent, messageText, type SentMessage, type UserMessage } from '../../../engine/chat/message/message.js';
import type { Timeline } from '../../../engine/chat/timeline.js';
import type { Clock, RandomHex } from '../../../engine/ports.js';
import {
  isAllowed,
  isLimited,
  limitsOfChat,
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
  logError(error: LoupeError): void;
}

/** `lifted`: the limit no longer applies. The caller then checks the request again. */
export type SpendAnswer = 'allowed' | 'lifted' | 'refused';

/** A request that waits. `permission`: what the user allowed before. */
interface WaitingRequest {
  readonly question: SpendQuestion;
  readonly permission: SpendPermission | null;
  readonly answer: (answer: SpendAnswer) => void;
}

/**
 * Checks each request of one chat against the spend limits. A request above a limit waits until the user approves it.
 * When no user can answer, the request is refused.
 */
export class SpendGate implements Behaviour {
  readonly #ports: SpendGatePorts;
  readonly #open = new Map<string, WaitingRequest>();
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
    const { askAbove } = this.limits;
    return askAbove !== null && usd !== null && usd > askAbove && this.#open.size === 0 ? askAbove : null;
  }

  /** Gives the user's answer to the waiting request. Returns false when this request no longer waits for an answer. */
  answer(questionId: string, isAllowed: boolean): boolean {
    const open = this.#open.get(questionId);
    open?.answer(isAllowed ? 'allowed' : 'refused');
    return open !== undefined;
  }

  /** The limits of this chat: those of the settings, with the chat's own limit. */
  get limits(): SpendLimits {
    const { workspaceSpending, log } = this.#ports;
    return limitsOfChat(workspaceSpending.limits(), log.state.spendCap);
  }

  eventsLogged(events: readonly ChatEvent[]): void {
    if (events.some(({ type }) => type === 'spend-cap')) {
      this.limitsChanged();
    }
  }

  /** Applies changed limits to the waiting requests. Logs failures; the request then waits for the user. */
  limitsChanged(): void {
    for (const id of this.#open.keys()) {
      this.#checkAgain(id).catch((thrown: unknown) => {
        this.#ports.logError(toLoupeError(thrown));
      });
    }
  }

  async #checkAgain(id: string): Promise<void> {
    const cost = this.#open.get(id)?.question.cost;
    const objections = cost === undefined ? [] : await this.objections(cost);
    // The user may have answered meanwhile.
    const waiting = this.#open.get(id);
    if (waiting === undefined) {
      return;
    }
    const { question, permission } = waiting;
    const objection = objections.find((each) => !isAllowed(permission, each, question.cost.usd));
    if (objection === undefined) {
      waiting.answer('lifted');
      return;
    }
    this.#open.set(id, { ...waiting, question: { ...question, objection } });
    this.#ports.log.changed('state');
  }

  /** Whether any limit is set. Without a limit, Loupe need not compose a request only for its cost. */
  get isLimited(): boolean {
    return isLimited(this.limits);
  }

  /** Returns the limits that a request of this cost would exceed, strictest first. */
  async objections({ usd }: Pick<RequestCost, 'usd'>): Promise<readonly Objection[]> {
    const { workspaceSpending, log } = this.#ports;
    const { limits } = this;
    if (!isLimited(limits)) {
      return [];
    }
    const { cost, unknownAttempts } = ledgerTotals(log.state);
    const chat = { usd: cost ?? 0, isAtLeast: unknownAttempts > 0 };
    const day = limits.capPerDay === null ? { usd: 0, isAtLeast: false } : await workspaceSpending.spentToday();
    return objectionsTo(usd, limits, { chat, day });
  }

  /** Shows a question. Resolves to the user's answer, or to `refused` when the signal aborts. */
  ask(asked: Omit<SpendQuestion, 'id'>, permission: SpendPermission | null, signal: AbortSignal): Promise<SpendAnswer> {
    if (signal.aborted) {
      return Promise.resolve('refused');
    }
    const id = newId(this.#ports.clock, this.#ports.random);
    return new Promise((resolve) => {
      const answer = (given: SpendAnswer): void => {
        signal.removeEventListener('abort', end);
        this.#open.delete(id);
        this.#ports.log.changed('state');
        resolve(given);
      };
      const end = (): void => {
        answer('refused');
      };
      signal.addEventListener('abort', end);
      this.#open.set(id, { question: { id, ...asked }, permission, answer });
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
      const answer = await this.ask({ about: 'request', cost, objection }, permission, signal);
      if (answer === 'refused') {
        throw isCap(objection) && last?.role === 'tool-results' ? capFailure(objection, cost) : declinedFailure(cost);
      }
      permission = answer === 'lifted' ? permission : { usd: cost.usd, overCap: true };
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
