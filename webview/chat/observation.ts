import { nothing, type TemplateResult } from 'lit';
import type { ObservationView } from '../../src/protocol/observation.js';
import { posting } from '../shared/events.js';
import { observationLine } from '../shared/observationLine.js';

/** What was observed of the cache: quiet, and only while the section is open, unless it is an alarm. */
export function observation(view: ObservationView | null, isOpen: boolean): TemplateResult | typeof nothing {
  return view === null || !(isOpen || view.isAlarm)
    ? nothing
    : observationLine(view, {
        showRequest: ({ chatId, attemptId }) => posting({ type: 'showRequest', chatId, messageId: attemptId }),
        showPrices: posting({ type: 'showPrices' }),
      });
}
