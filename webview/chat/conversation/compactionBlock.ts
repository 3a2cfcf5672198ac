import { html, nothing, type TemplateResult } from 'lit';
import type { CompactionView } from '../../../src/protocol/panel/compaction.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { button, disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, elapsed, tokensWithUnit, tokens as figure } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { openSummary } from '../rows/opening.js';
import { failedAttempts as failedRequests } from '../notes/failedAttempts.js';
import { showRequest } from '../entries/showRequestButton.js';

/** Delay in ms before the progress of a summary appears. A summary that finishes sooner shows no progress. */
const SHOWN_AFTER_MS = 500;

export const AS_IT_WAS = 'The conversation is unchanged.';

export const CANCELLED = `Cancelled. ${AS_IT_WAS}`;

/** Explains why Loupe closed the preview of a summary after a change of the chat. */
export function whyClosed({ madeRoom }: OutdatedPreview): string {
  return madeRoom
    ? 'Loupe summarized the conversation, because your message needed room. So Loupe closed the preview of your summary.'
    : 'The messages that the summary would replace have changed, so Loupe closed the preview. Loupe summarized nothing.';
}

interface CompactionScope {
  readonly chatId: string;
  /** Whether the user cannot change the chat: during a run, or in a read-only chat. */
  readonly isLocked: boolean;
  /** Whether the user reviews the summary before requests contain the summary. */
  readonly isPreview: boolean;
  readonly isDetailOpen: boolean;
  readonly onToggleDetail: () => void;
}

/** Shows a summary in progress, a suggested summary, or the end of a summary without a result. `now` in epoch ms. */
export function compactionBlock(compaction: CompactionView, now: number, scope: CompactionScope): TemplateResult | typeof nothing {
  switch (compaction.kind) {
    case 'running':
      return running(compaction, now, scope);
    case 'due':
      return suggestionBlock(compaction, scope);
    case 'failed':
      return failed(compaction, scope);
    case 'outdated':
      return outdated(compaction, scope);
    case 'cancelled':
      return cancelled(scope);
  }
}

type SuggestedSummary = Extract<CompactionView, { readonly kind: 'due' }>;
type RunningSummary = Extract<CompactionView, { readonly kind: 'running' }>;
type OutdatedPreview = Extract<CompactionView, { readonly kind: 'outdated' }>;
type FailedSummary = Extract<CompactionView, { readonly kind: 'failed' }>;

function running(
  { messages, startedAt, tokens, mostTokens, isAwaited }: RunningSummary,
  now: number,
  { chatId }: CompactionScope,
): TemplateResult | typeof nothing {
  if (now - startedAt < SHOWN_AFTER_MS) {
    return nothing;
  }
  // `tokens` is an estimate and may exceed the maximum.
  const share = Math.min(1, tokens / mostTokens);
  return html`<div class="entry run-note compaction" role="group" aria-label="Summary">
    <div class="run-note-text">${icon('loading')}<span>${progressTitle(messages)}</span></div>
    <div class="compaction-part figures">
      ${elapsed(now - startedAt)} · ≈ ${figure(tokens)} of ${tokensWithUnit(mostTokens, 'exact')}
    </div>
    <div class="compaction-part compaction-bar" aria-hidden="true"><i .style=${`width:${100 * share}%`}></i></div>
    ${isAwaited || messages === null ? nothing : html`<p class="compaction-part hint">You can send messages meanwhile. Requests still contain the whole conversation.</p>`}
    <div class="run-note-actions">${button('Cancel', 'secondary', leave({ type: 'cancelSummary', chatId }))}</div>
  </div>`;
}

export function progressTitle(messages: number | null): string {
  return messages === null ? 'Shortening your message' : `Summarizing ${counted(messages, 'message')}`;
}

function suggestionBlock(offered: SuggestedSummary, { chatId, isLocked }: CompactionScope): TemplateResult {
  return html`<div class="entry run-note compaction" role="group" aria-label="Summary">
    <div class="run-note-text">${icon('info')}<span>${suggestionInWords(offered)}</span></div>
    ${offered.why === null ? nothing : html`<p class="compaction-part hint">${visibleText(offered.why)}</p>`}
    ${
      isLocked
        ? nothing
        : html`<div class="run-note-actions">
          ${button('Summarize…', 'primary', openFrom(offered.upTo))}
          ${button('Not now', 'secondary', leave({ type: 'dismissSummary', chatId }))}
        </div>`
    }
  </div>`;
}

function openFrom(upTo: string | null): (event: Event) => void {
  return ({ currentTarget }) => {
    if (currentTarget !== null) {
      openSummary(currentTarget, upTo);
    }
  };
}

export function suggestionInWords({ messages, tokens, summaryTokens }: SuggestedSummary): string {
  return `A summary (about ${counted(summaryTokens, 'token')}) would replace ${counted(messages, 'message')} (${counted(tokens, 'token')}).`;
}

function failed(
  { text, detail, upTo, attemptId, failedAttempts }: FailedSummary,
  { chatId, isLocked, isPreview, isDetailOpen, onToggleDetail }: CompactionScope,
): TemplateResult {
  return html`${failedAttempts.length === 0 ? nothing : failedRequests(failedAttempts, { chatId })}
  <div class="entry run-note failed compaction" role="group" aria-label="Summary failed">
    <div class="run-note-text">
      ${icon('error')}<span>${visibleText(text)} ${AS_IT_WAS}</span>
      ${isPreview ? nothing : dismiss(chatId)}
    </div>
    ${
      isLocked && attemptId === null
        ? nothing
        : html`<div class="run-note-actions">
          ${isLocked ? nothing : button('Try again', 'primary', leave(isPreview ? { type: 'writeSummary', chatId } : { type: 'summarize', chatId, upTo }))}
          ${isLocked ? nothing : button('Choose another model', 'secondary', posting({ type: 'selectModel', chatId }))}
          ${attemptId === null ? nothing : button('Show request', 'secondary', posting(showRequest(attemptId, { chatId })))}
        </div>`
    }
    ${
      detail === null
        ? nothing
        : html`${disclosure('Details', isDetailOpen, onToggleDetail)}
        ${isDetailOpen ? html`<pre tabindex="0" aria-label="Details"><code>${visibleText(detail)}</code></pre>` : nothing}`
    }
  </div>`;
}

function outdated(closed: OutdatedPreview, { chatId, isLocked }: CompactionScope): TemplateResult {
  return html`<div class="entry compaction-cancelled" role="group" aria-label="Summary closed">
    ${icon('info')}<span>${whyClosed(closed)} ${isLocked ? nothing : linkButton('Summarize…', openFrom(null))}</span> ${dismiss(chatId)}
  </div>`;
}

function cancelled({ chatId }: CompactionScope): TemplateResult {
  return html`<div class="entry compaction-cancelled" role="group" aria-label="Summary cancelled">
    ${icon('circle-slash')}<span>${CANCELLED}</span> ${dismiss(chatId)}
  </div>`;
}

function dismiss(chatId: string): TemplateResult {
  return iconButton({ label: 'Dismiss', icon: 'close', onClick: leave({ type: 'dismissSummary', chatId }) });
}

/** Returns a click handler that sends a message and focuses the conversation. The clicked button may disappear. */
function leave(message: ToHost): (event: Event) => void {
  return ({ currentTarget }) => {
    if (!(currentTarget instanceof Element)) {
      return;
    }
    post(currentTarget, message);
    currentTarget.closest<HTMLElement>('.scroller')?.focus({ preventScroll: true });
  };
}
