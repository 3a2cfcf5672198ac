import { spentBy, spentTotals } from '../chat/ledger.js';
import type { AttemptPurpose } from '../chat/slices/attempts.js';
import type { SidePurpose } from '../chat/slices/sideRequests.js';
import type { ChatState } from '../chat/state.js';

/** Purposes of the requests that Loupe makes besides replies. */
const OWN_PURPOSES = ['title', 'summary', 'topic', 'keepWarm', 'embedding', 'count'] as const satisfies readonly (
  | AttemptPurpose
  | SidePurpose
)[];

/** The cost in US dollars of the requests for one purpose. */
export interface OwnCost {
  readonly purpose: (typeof OWN_PURPOSES)[number];
  readonly cost: number;
}

/** Returns what requests besides replies cost. Empty for a partly loaded chat, whose earlier purposes are unknown. */
export function ownCosts({ extent, attempts, sideRequests }: Pick<ChatState, 'extent' | 'attempts' | 'sideRequests'>): readonly OwnCost[] {
  if (extent === 'end') {
    return [];
  }
  const ofAttempts = [...attempts.values()].filter(({ purpose }) => purpose !== 'reply');
  return OWN_PURPOSES.flatMap((purpose) => {
    const spent = ofAttempts.filter((attempt) => attempt.purpose === purpose).map(spentBy);
    const side = [...sideRequests.values()].filter((made) => made.purpose === purpose);
    const { cost } = spentTotals([...spent.filter((each) => each !== null), ...side]);
    return cost === null || cost === 0 ? [] : [{ purpose, cost }];
  });
}
