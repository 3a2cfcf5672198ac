import { html, type TemplateResult } from 'lit';
import type { RetryEntry } from '../../../src/protocol/view.js';
import { button } from '../../shared/controls.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

/** A request failed and is made again: why, how long the wait still is, and the way out of it. */
export function retryEntry(entry: RetryEntry, { chatId }: EntryScope): TemplateResult {
  return html`<div class="entry run-note retrying" role="group" aria-label="Waiting to try again">
    <div class="run-note-text">${icon('history')}<span>${visibleText(entry.text)}</span></div>
    <div class="run-note-actions">
      ${button('Stop waiting', 'secondary', posting({ type: 'stop', chatId }))}
      <span class="retry-wait figures">
        Trying again in <loupe-countdown .at=${entry.at}></loupe-countdown> · ${entry.number} of ${entry.most}
      </span>
    </div>
  </div>`;
}
