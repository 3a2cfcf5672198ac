import type { TurnBand } from '../../engine/accounting/turnBand.js';
import type { Forecast } from '../../engine/cache/forecast.js';
import type { ContextRecord } from '../../engine/record/manifest.js';
import type { Situation } from '../../engine/request/layout/situation.js';
import type { Request } from '../../engine/request/request.js';
import type { ModelClient, WireRequest } from '../../engine/model/model.js';
import type { ResolvedContext } from '../context/resolveContext.js';
import type { Provider } from '../models/registry.js';
import type { Countable } from './compose/backgroundCount.js';
import type { BudgetCheck } from './overBudget.js';

/** A request as it would be sent now. Preview, meter, record and wire all use this value. */
export interface ComposedRequest extends Request, BudgetCheck {
  readonly situation: Situation;
  readonly client: ModelClient;
  readonly context: ResolvedContext;
  /** The context records of this request. */
  readonly records: readonly ContextRecord[];
  /** The name of the chat's agent. Null for no agent and for an unreadable profile. */
  readonly agent: string | null;
  /** The name of the chat's agent when its profile is missing or unreadable, otherwise null. */
  readonly missingAgent: string | null;
  /** The number of messages of users and models in it. */
  readonly messages: number;
  /**
   * The request for its provider to count, or null when a count is not needed or not possible. Includes all files while
   * only an estimate says that they do not fit.
   */
  readonly countable: Countable | null;
  /** The provider, if it can count this request and a count is needed. `countsTokens` says whether it may be asked. */
  readonly counting: Pick<Provider, 'id' | 'label' | 'countsTokens'> | null;
  /** The cache forecast for it, or null when the cache behavior of its model is unknown. */
  readonly forecast: Forecast | null;
  /** The expected cost of the whole turn that it begins. Null without tools, or when too little is known. */
  readonly turn: TurnBand | null;
  /** Converts the request on demand, because a preview shows figures and seldom the bytes. */
  wire(): WireRequest;
}
