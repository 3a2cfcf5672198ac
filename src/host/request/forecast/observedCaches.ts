import { billedPrices } from '../../../engine/model/price.js';
import type { LocalTime } from '../../../engine/accounting/usedAttempt.js';
import { modelKey, type ModelRef } from '../../../engine/model/modelRef.js';
import type { Clock } from '../../../engine/ports.js';
import type { ObservationView } from '../../../protocol/observation.js';
import type { ModelRegistry } from '../../models/registry.js';
import type { ExpectedCaches } from '../../../engine/cacheMonitor/expectedCaches.js';
import { observationView } from './observationView.js';

export interface ObservedCachesPorts {
  readonly caches: Pick<ExpectedCaches, 'observations' | 'charges'>;
  readonly models: Pick<ModelRegistry, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly localTime: LocalTime;
}

/** How the caches of models behaved in the requests of chats that were opened in this VS Code window. */
export class ObservedCaches {
  readonly #ports: ObservedCachesPorts;

  constructor(ports: ObservedCachesPorts) {
    this.#ports = ports;
  }

  /** Returns a description of the model's cache behavior, or null when nothing was observed. */
  of(ref: ModelRef): ObservationView | null {
    const { caches, models, clock, localTime } = this.#ports;
    const key = modelKey(ref);
    const model = models.list().find((each) => modelKey(each.ref) === key);
    const prices = billedPrices(model?.prices ?? null);
    const observations = caches.observations(ref);
    const view = { label: model?.label ?? key, prices };
    const charges = model === undefined ? null : caches.charges(model);
    const when = { now: clock.now(), localTime };
    if (observations === null) {
      return null;
    }
    const { findings, otherLifetimes, refused } = observations;
    return observationView({ findings, otherLifetimes, refused, charges }, view, when);
  }
}
