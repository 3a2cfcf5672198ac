import { nothing, type TemplateResult } from 'lit';
import type { ObservationView } from '../../src/protocol/observation.js';
import { posting } from '../shared/events.js';
import { observationLine } from '../shared/observationLine.js';

/** What the cache was found to do: quiet, and only where one looks for it, unless it no longer does what it did. */
export function observation(view: ObservationView | null, isOpen: boolean): TemplateResult | typeof nothing {
  return view === null || !(isOpen || view.isAlarm)
    ? nothing
    : observationLine(view, {
        showRequest: ({ chatId, attemptId }) => posting({ type: 'showRequest', chatId, messageId: attemptId }),
        showPrices: posting({ type: 'showPrices' }),
      });
}
