import type { Ttl } from '../../engine/cache/cacheRules.js';
import { modelKey } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../engine/chat/state.js';
import { longerLifetime, replayLifetime } from '../../engine/diagnosis/lifetimeReplay.js';
import type { Model } from '../../engine/run/model.js';
import { BELIEVED, inputCostOf, replayLayouts, type ReplayPorts } from './replays.js';
import type { Diagnoses } from './diagnoses.js';
import type { ReplayedCache, ReplayedCaches } from './replayedCache.js';

interface Asked {
  readonly state: WholeChat;
  readonly attempt: AttemptState;
  readonly model: Model;
}

/** What other layouts would have cost up to a request for a reply, and after a pause a longer life of the cache. Empty where that is not certain. */
export async function replayedCaches(asked: Asked, diagnoses: Diagnoses, ports: ReplayPorts): Promise<readonly ReplayedCaches[]> {
  const { state, attempt, model } = asked;
  const lifetime = lifetimes(asked, diagnoses);
  const layouts = await replayLayouts(state, attempt, model, ports);
  return [...(lifetime === null ? [] : [lifetime]), ...(layouts === null ? [] : [layouts])];
}

function lifetimes({ state, attempt, model }: Asked, diagnoses: Diagnoses): ReplayedCaches | null {
  const { cache } = model.capabilities;
  const cost = inputCostOf(attempt, model);
  const requests = diagnoses.upTo(state, attempt).filter((each) => modelKey(each.attempt.model) === modelKey(attempt.model));
  const before = requests.at(-2);
  const ttl = cache.kind !== 'marks' || before === undefined ? null : longerLifetime(before, cache);
  if (cache.kind !== 'marks' || model.prices === null || cost === null || ttl === null) {
    return null;
  }
  const prices = model.prices;
  const found = (lifetime: Ttl | null): ReplayedCache => {
    return { layout: attempt.manifest.layout, lifetime, requests: requests.length, ...replayLifetime(requests, lifetime, cache, prices) };
  };
  const own = found(null);
  return Math.abs(own.cost - cost) > cost * BELIEVED ? null : { own, others: [found(ttl)] };
}
