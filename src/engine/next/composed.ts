import type { TurnBand } from '../accounting/turnBand.js';
import type { Forecast } from '../cache/forecast.js';
import type { ContextRecord } from '../record/manifest.js';
import type { Situation } from '../request/layout/situation.js';
import type { Request } from '../request/request.js';
import type { Model, ModelClient, WireRequest } from '../model/model.js';
import type { BudgetCheck, RequestFacts, RequestInputs } from './inputs.js';

export interface Countable {
  readonly model: Model;
  readonly client: ModelClient;
  /** Converts the request to bytes. Called after a pause in typing, because typing cancels the count. */
  readonly wire: () => WireRequest;
  /** SHA-256 (hex) of the request body. */
  readonly hash: string;
}

/** A request as Loupe would send it now. The preview, the context meter, the record and the sent bytes all use it. */
export interface ComposedRequest extends Request, BudgetCheck, Pick<RequestFacts, 'context' | 'messages' | 'counting'> {
  readonly inputs: RequestInputs;
  readonly situation: Situation;
  readonly client: ModelClient;
  /** Which context items the request contains, and why other items were not selected. */
  readonly records: readonly ContextRecord[];
  /** The name of the chat's agent. Null without an agent, or when the profile of the agent cannot be read. */
  readonly agent: string | null;
  /** The name of the chat's agent if its profile is missing or unreadable. Null for a readable profile or no agent. */
  readonly missingAgent: string | null;
  /**
   * The request as the provider should count it. Null when no count is needed or possible. Contains all files as long
   * as only an estimate says that they do not fit.
   */
  readonly countable: Countable | null;
  /** The cache forecast for the request, or null when the cache behavior of the model is unknown. */
  readonly forecast: Forecast | null;
  /** The expected cost of the turn that this request starts. Null without tools, and with too few known turns. */
  readonly turn: TurnBand | null;
  /** Converts the request to bytes. Called only when needed, because a preview seldom needs the bytes. */
  wire(): WireRequest;
}
