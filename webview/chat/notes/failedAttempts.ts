import { html, nothing, type TemplateResult } from 'lit';
import type { FailedAttempt, FailuresEntry, RetryEntry } from '../../../src/protocol/panel/entries.js';
import { button, disclosure } from '../../shared/controls/buttons.js';
import { icon } from '../../shared/controls/icon.js';
import { posting } from '../../shared/events.js';
import { clock, counted, dateTime, duration, isNotable, price } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';
import { showRequestButton } from '../entries/showRequestButton.js';

type ListScope = Pick<EntryScope, 'chatId'>;

/** Lists failed requests with time, price and a button that shows the request. A repeated reason is shown once. */
export function failedAttempts(failures: readonly FailedAttempt[], scope: ListScope): TemplateResult {
  return list(failures, reasonOf, scope);
}

function reasonOf({ text, status }: FailedAttempt): string {
  return status === null || text.includes(`HTTP ${String(status)}`) ? text : `HTTP ${String(status)} · ${text}`;
}

function list(failures: readonly FailedAttempt[], reason: (failure: FailedAttempt) => string, scope: ListScope): TemplateResult {
  const reasons = failures.map(reason);
  return html`<ul class="failed-attempts" aria-label=${counted(failures.length, 'failed request')}>
    ${failures.map((failure, at) => html`<li class="failed-attempt">${row(failure, reasons[at] === reasons[at - 1] ? '' : (reasons[at] ?? ''), scope)}</li>`)}
  </ul>`;
}

function row(failure: FailedAttempt, reason: string, scope: ListScope): TemplateResult {
  const { id, at, durationMs, waitMs } = failure;
  return html`<div class="failed-attempt-line">
      ${reason === '' ? nothing : html`<span class="failed-attempt-text">${visibleText(reason)}</span>`}
      <span class="figures" title=${waitMs === null ? `Sent at ${dateTime(at)}` : `Sent at ${dateTime(at)}, and again after ${duration(waitMs)}`}>
        <span>${clock(at, Date.now())}</span> ${isNotable(durationMs) ? html`<span>${duration(durationMs)}</span>` : nothing}
        <span>${priceOf(failure)}</span>
      </span>
    </div>
    ${showRequestButton(id, scope)}`;
}

function priceOf({ cost, isAtLeast, isPretended, isUnbilled }: FailedAttempt): string {
  if (isPretended || (isUnbilled && cost === null)) {
    return 'not billed';
  }
  return cost === null ? 'price unknown' : `${isAtLeast ? 'at least ' : ''}${price(cost)}`;
}

/** The failed requests of an entry while they are open. Nothing for a single one, which has its own button. */
export function openFailures(failures: readonly FailedAttempt[], scope: EntryScope): TemplateResult | typeof nothing {
  if (failures.length < 2 || !scope.isOpen('detail')) {
    return nothing;
  }
  // The entry itself already says a reason that all of them have.
  const isOneReason = failures.every((failure) => failure.text === failures[0]?.text);
  return list(failures, isOneReason ? () => '' : reasonOf, scope);
}

/** Shows the failed requests of a run that has not failed, as one line. */
export function failuresEntry({ text, failures }: FailuresEntry, scope: EntryScope): TemplateResult {
  const [first] = failures;
  return html`<div class="entry failures" role="group" aria-label="Failed attempts">
    <div class="failures-line">${icon('warning')}<span>${visibleText(text)}</span> ${failures.length > 1 || first === undefined ? nothing : showRequestButton(first.id, scope)}</div>
    ${failures.length > 1 ? html`${details(scope)} ${openFailures(failures, scope)}` : nothing}
  </div>`;
}

export function details(scope: EntryScope): TemplateResult {
  return disclosure('Details', scope.isOpen('detail'), () => {
    scope.toggle('detail');
  });
}

/** Shows the wait before an automatic retry: the reason, a countdown, and a button that ends the wait. */
export function retryEntry(entry: RetryEntry, scope: EntryScope): TemplateResult {
  const { failures } = entry;
  return html`<div class="entry run-note retrying" role="group" aria-label="Waiting to try again">
    <div class="run-note-text">${icon('history')}<span>${visibleText(entry.text)}</span></div>
    <div class="run-note-actions">
      ${button('Stop waiting', 'secondary', posting({ type: 'stop', chatId: scope.chatId }))}
      ${showRequestButton(entry.attemptId, scope)}
      <span class="retry-wait figures">
        Trying again in <loupe-countdown .at=${entry.at}></loupe-countdown> · retry ${entry.number} of ${entry.most}
      </span>
    </div>
    ${failures.length > 1 ? html`${details(scope)} ${openFailures(failures, scope)}` : nothing}
  </div>`;
}
