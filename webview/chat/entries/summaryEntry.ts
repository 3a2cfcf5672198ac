import { html, nothing, type TemplateResult } from 'lit';
import type { SummaryEntry } from '../../../src/protocol/compaction.js';
import { linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { counted, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

/** A checkpoint: the summary that requests send instead of the messages above it. */
export function summaryEntry(entry: SummaryEntry, scope: EntryScope): TemplateResult {
  const { messages, tokens: sizes } = entry;
  const replaced = messages === null ? '' : `${counted(messages, 'message')}, `;
  const canUndo = entry.status === 'active' && !scope.isLocked;
  return html`<article class="entry summary" aria-label="Summary">
    <h3>Conversation summary (checkpoint)</h3>
    <p class="figures">${replaced}${tokens(sizes.before)} became ${tokens(sizes.after)}.</p>
    <p>${visibleText(entry.text)}</p>
    ${canUndo ? linkButton('Undo', posting({ type: 'undoSummary', chatId: scope.chatId })) : nothing}
  </article>`;
}
