import { html, type TemplateResult } from 'lit';
import type { RetryEntry } from '../../../src/protocol/noteEntries.js';
import { button } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';
import { showRequestButton } from './showRequestButton.js';

/** A failed request that is retried: the reason, the remaining wait, and a button to stop. */
export function retryEntry(entry: RetryEntry, scope: EntryScope): TemplateResult {
  return html`<div class="entry run-note retrying" role="group" aria-label="Waiting to try again">
    <div class="run-note-text">${icon('history')}<span>${visibleText(entry.text)}</span></div>
    <div class="run-note-actions">
      ${button('Stop waiting', 'secondary', posting({ type: 'stop', chatId: scope.chatId }))}
      <span class="retry-wait figures">
        Trying again in <loupe-countdown .at=${entry.at}></loupe-countdown> · ${entry.number} of ${entry.most}
      </span>
      ${showRequestButton(entry.attemptId, scope)}
    </div>
  </div>`;
}
