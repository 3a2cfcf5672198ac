import type { SidePurpose, SideRequests } from '../chat/slices/sideRequests.js';
import type { ModelRef } from '../model/modelRef.js';
import { addDollars, type UsageEntry } from '../chat/ledger.js';
import { NO_FIGURES, type Figure, type Usage } from '../model/usage.js';

type MadeRequest = Pick<UsageEntry, 'usage' | 'cost' | 'isUnbilled'>;

/** The usage of a request that has not ended, or whose end was lost. */
export const UNKNOWN_USE: MadeRequest = { usage: null, cost: null, isUnbilled: false };

/** Collects the requests that Loupe makes for one purpose to one model. A request is included as soon as it is sent. */
export class MadeRequests {
  readonly #of: { readonly purpose: SidePurpose; readonly model: ModelRef };
  readonly #each: MadeRequest[] = [];

  constructor(purpose: SidePurpose, model: ModelRef) {
    this.#of = { purpose, model };
  }

  /** Adds a request that is about to be sent. Call the returned function when the usage of the request is known. */
  begin(): (made: MadeRequest) => void {
    const at = this.#each.push(UNKNOWN_USE) - 1;
    return (made) => {
      this.#each[at] = made;
    };
  }

  /** Returns up to three sums: requests with known usage, with unknown usage, and requests that were not billed. */
  sums(): readonly SideRequests[] {
    const groups = [
      this.#each.filter(({ isUnbilled, usage }) => !isUnbilled && usage !== null),
      this.#each.filter(({ isUnbilled, usage }) => !isUnbilled && usage === null),
      this.#each.filter(({ isUnbilled }) => isUnbilled),
    ];
    return groups.filter((group) => group.length > 0).map((group) => ({ ...this.#of, requests: group.length, ...sumOf(group) }));
  }
}

/** The group must have at least one request. */
function sumOf(group: readonly MadeRequest[]): MadeRequest {
  return group.reduce((sum, { usage, cost }) => ({
    isUnbilled: sum.isUnbilled,
    usage: sum.usage === null || usage === null ? null : usageOfBoth(sum.usage, usage),
    cost:
      sum.cost === null && cost === null
        ? null
        : {
            usd: addDollars(sum.cost?.usd ?? 0, cost?.usd ?? 0),
            atLeast: sum.cost === null || cost === null || sum.cost.atLeast || cost.atLeast,
          },
  }));
}

/** Adds two usages without cache figures, because these requests never use a cache. */
function usageOfBoth(a: Usage, b: Usage): Usage {
  return {
    ...NO_FIGURES,
    promptTokens: figureOfBoth(a.promptTokens, b.promptTokens),
    completionTokens: figureOfBoth(a.completionTokens, b.completionTokens),
  };
}

function figureOfBoth(a: Figure | null, b: Figure | null): Figure | null {
  if (a === null || b === null) {
    return null;
  }
  const isReported = a.source === 'reported' && b.source === 'reported';
  return { value: a.value + b.value, source: isReported ? 'reported' : 'estimated' };
}
