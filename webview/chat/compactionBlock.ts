import { html, nothing, type TemplateResult } from 'lit';
import type { CompactionView } from '../../src/protocol/compaction.js';
import type { ToHost } from '../../src/protocol/toHost.js';
import { button, disclosure, iconButton } from '../shared/buttons.js';
import { announce, post, posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { counted, elapsed, tokensWithUnit, tokens as figure } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';

/** In ms: a summary that is there sooner shows nothing before itself. */
const SHOWN_AFTER_MS = 500;

/** What is said after a summary that failed or was cancelled. */
export const AS_IT_WAS = 'Your history is as it was.';

interface CompactionScope {
  readonly chatId: string;
  /** Whether changes are disabled: during a run, or in a read-only chat. */
  readonly isLocked: boolean;
  readonly isDetailOpen: boolean;
  readonly onToggleDetail: () => void;
}

/** The summary that is being written, or why it failed. `now` is in epoch milliseconds. */
export function compactionBlock(compaction: CompactionView, now: number, scope: CompactionScope): TemplateResult | typeof nothing {
  return compaction.kind === 'failed' ? failed(compaction, scope) : running(compaction, now, scope);
}

type Running = Extract<CompactionView, { readonly kind: 'running' }>;
type Failed = Extract<CompactionView, { readonly kind: 'failed' }>;

function running(
  { messages, startedAt, tokens, mostTokens }: Running,
  now: number,
  { chatId }: CompactionScope,
): TemplateResult | typeof nothing {
  if (now - startedAt < SHOWN_AFTER_MS) {
    return nothing;
  }
  // The figure is an estimate, which may be above the most.
  const share = Math.min(1, tokens / mostTokens);
  return html`<div class="entry run-note compaction" role="group" aria-label="Summary">
    <div class="run-note-text">${icon('loading')}<span>Summarizing ${counted(messages, 'message')}</span></div>
    <div class="compaction-part figures">
      ${elapsed(now - startedAt)} · ≈ ${figure(tokens)} of ${tokensWithUnit(mostTokens, 'exact')}
    </div>
    <div class="compaction-part compaction-bar" aria-hidden="true"><i .style=${`width:${100 * share}%`}></i></div>
    <p class="compaction-part hint">You can go on: a message sent now still takes the whole history.</p>
    <div class="run-note-actions">${button('Cancel', 'secondary', leave({ type: 'cancelSummary', chatId }, `Cancelled. ${AS_IT_WAS}`))}</div>
  </div>`;
}

function failed({ text, detail, upTo }: Failed, { chatId, isLocked, isDetailOpen, onToggleDetail }: CompactionScope): TemplateResult {
  return html`<div class="entry run-note failed compaction" role="group" aria-label="Summary failed">
    <div class="run-note-text">
      ${icon('error')}<span>${visibleText(text)} ${AS_IT_WAS}</span>
      ${iconButton({ label: 'Dismiss', icon: 'close', onClick: leave({ type: 'dismissSummary', chatId }, null) })}
    </div>
    ${
      isLocked
        ? nothing
        : html`<div class="run-note-actions">
          ${button('Try again', 'primary', leave({ type: 'summarize', chatId, upTo }, null))}
          ${button('Choose another model', 'secondary', posting({ type: 'selectModel', chatId }))}
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

/**
 * A click handler that sends a message after which the block goes. The focus stays in the conversation, and screen readers
 * are told `said`; null: the change of the state tells them.
 */
function leave(message: ToHost, said: string | null): (event: Event) => void {
  return ({ currentTarget }) => {
    if (!(currentTarget instanceof Element)) {
      return;
    }
    post(currentTarget, message);
    if (said !== null) {
      announce(currentTarget, said);
    }
    currentTarget.closest<HTMLElement>('.scroller')?.focus({ preventScroll: true });
  };
}
