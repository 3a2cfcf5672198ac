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

/** A request as it would be sent now: the same value feeds preview, meter, record and wire. */
export interface Composed extends Request, BudgetCheck {
  /** What was sent before. */
  readonly situation: Situation;
  readonly client: ModelClient;
  readonly context: ResolvedContext;
  /** What is recorded of the context. */
  readonly records: readonly ContextRecord[];
  /** The name of the chat's agent; null for none, and for one whose profile cannot be read. */
  readonly agent: string | null;
  /** The name of the chat's agent where the workspace has none of that name; null otherwise. */
  readonly missingAgent: string | null;
  /** The number of messages of people and models in it. */
  readonly messages: number;
  /**
   * The request for its provider to count; null when the model needs or offers no such count. With all its files where only
   * an estimate says that they do not fit.
   */
  readonly countable: Countable | null;
  /** The provider where it can count the request itself; null where it cannot or need not. It is asked where `countsTokens` says so. */
  readonly counting: Pick<Provider, 'id' | 'label' | 'countsTokens'> | null;
  /** What the cache is expected to do with it; null when it is unknown how its model caches. */
  readonly forecast: Forecast | null;
  /** What the whole turn costs that it begins; null without tools, and where too little is known. */
  readonly turn: TurnBand | null;
  /** Converts on demand: a preview shows figures and seldom the bytes. */
  wire(): WireRequest;
}
