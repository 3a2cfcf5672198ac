import { html, nothing, type TemplateResult } from 'lit';
import type { ToolResultsEntry } from '../../../src/protocol/view.js';
import { disclosure, linkButton } from '../../shared/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/icon.js';
import { counted, fileSize } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

type Result = ToolResultsEntry['results'][number];

/** Tool results: one line each, the text on demand, always as plain text. */
export function toolResultsEntry(entry: ToolResultsEntry, scope: EntryScope): TemplateResult {
  return html`<article tabindex="-1" class="entry tool-results" aria-label="Tool results">
    ${entry.results.map((result) => oneResult(result, entry.id, scope))}
  </article>`;
}

function oneResult(result: Result, messageId: string, scope: EntryScope): TemplateResult {
  const isOpen = scope.isOpen(result.callId);
  const label = html`${icon(result.isError ? 'error' : 'pass')}<span class="tool-result-name"
      >${visibleText(result.name)}</span
    ><span class="figures">${outcome(result)}</span>`;
  return html`<div class="tool-result ${result.isError ? 'failed' : ''}">
    ${disclosure(label, isOpen, () => {
      scope.toggle(result.callId);
    })}
    ${
      isOpen
        ? html`<pre tabindex="0" aria-label="Result"><code>${visibleText(result.text)}</code></pre>
          ${cutNote(result, messageId, scope)}`
        : nothing
    }
  </div>`;
}

/** The shown size of a large result, and a link to all of it. */
function cutNote({ cut, callId }: Result, messageId: string, scope: EntryScope): TemplateResult | typeof nothing {
  if (cut === null) {
    return nothing;
  }
  return html`<div class="tool-result-cut">
    <span>First ${counted(cut.characters, 'character')} of ${fileSize(cut.bytes)}</span>
    ${linkButton('Open all', posting({ type: 'openResult', chatId: scope.chatId, messageId, callId }))}
  </div>`;
}

function outcome({ synthetic, isError, cut, text }: Result): string {
  if (synthetic) {
    return 'No result';
  }
  if (isError) {
    return 'Error';
  }
  return cut === null ? counted(text.split('\n').length, 'line') : fileSize(cut.bytes);
}
