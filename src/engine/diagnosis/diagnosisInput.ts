import type { Prices } from '../accounting/price.js';
import type { CacheRules } from '../cache/cacheRules.js';
import type { PastRequest } from './pastRequest.js';

/** What is known of a request's model: prices and rules are those of today, because no log has them. */
export interface DiagnosedModel {
  readonly rules: CacheRules;
  /** Null without prices, and for a free practice model. */
  readonly prices: Prices | null;
}

export interface DiagnosisInput {
  readonly request: PastRequest;
  /** The answered requests for replies and summaries before it, of all branches and models, oldest first; enough of them for the longest life of an entry. */
  readonly earlier: readonly PastRequest[];
  /** Null for a model that is gone. */
  readonly model: DiagnosedModel | null;
}
