import { html, nothing, type TemplateResult } from 'lit';
import type { FailedAttemptEntry, RetryEntry } from '../../../src/protocol/panel/entries.js';
import { button } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { posting } from '../../shared/events.js';
import { clock, dateTime, duration, isNotable } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';
import { showRequestButton } from '../entries/showRequestButton.js';

/** Shows a failed attempt that Loupe repeated: reason, time, duration, and the wait before the next attempt. */
export function failedAttemptEntry(
  { id, text, status, at, durationMs, waitMs }: FailedAttemptEntry,
  scope: Pick<EntryScope, 'chatId'>,
): TemplateResult {
  return html`<div class="entry failed-attempt" role="group" aria-label="Failed attempt">
    ${icon('warning')}
    <div class="failed-attempt-line">
      <span class="failed-attempt-text" >${status === null ? nothing : html`HTTP ${status} · `}${visibleText(text)}</span>
      <span class="figures" title=${`Sent at ${dateTime(at)}`}>
        <span>${clock(at, Date.now())}</span> ${isNotable(durationMs) ? html`<span>${duration(durationMs)}</span>` : nothing}
        ${waitMs === null ? nothing : html`<span>sent again after ${duration(waitMs)}</span>`}
      </span>
    </div>
    ${showRequestButton(id, scope)}
  </div>`;
}

/** Shows the wait before an automatic retry: the reason, a countdown, and a button that ends the wait. */
export function retryEntry(entry: RetryEntry, scope: EntryScope): TemplateResult {
  return html`<div class="entry run-note retrying" role="group" aria-label="Waiting to try again">
    <div class="run-note-text">${icon('history')}<span>${visibleText(entry.text)}</span></div>
    <div class="run-note-actions">
      ${button('Stop waiting', 'secondary', posting({ type: 'stop', chatId: scope.chatId }))}
      <span class="retry-wait figures">
        Trying again in <loupe-countdown .at=${entry.at}></loupe-countdown> · retry ${entry.number} of ${entry.most}
      </span>
      ${showRequestButton(entry.attemptId, scope)}
    </div>
  </div>`;
}
