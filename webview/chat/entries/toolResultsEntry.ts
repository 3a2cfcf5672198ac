import { html, nothing, type TemplateResult } from 'lit';
import type { ToolResultsEntry } from '../../../src/protocol/view.js';
import { disclosure } from '../../shared/controls.js';
import { icon } from '../../shared/icon.js';
import { counted } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

type Result = ToolResultsEntry['results'][number];

/** What the tools answered: one line each, the text on demand, always as plain text. */
export function toolResultsEntry(entry: ToolResultsEntry, scope: EntryScope): TemplateResult {
  return html`<article class="entry tool-results" aria-label="Tool results">
    ${entry.results.map((result) => oneResult(result, scope))}
  </article>`;
}

function oneResult(result: Result, scope: EntryScope): TemplateResult {
  const isOpen = scope.isOpen(result.callId);
  const label = html`${icon(result.isError ? 'error' : 'pass')}<span class="tool-result-name"
      >${visibleText(result.name)}</span
    ><span class="figures">${outcome(result)}</span>`;
  return html`<div class="tool-result ${result.isError ? 'failed' : ''}">
    ${disclosure(label, isOpen, () => {
      scope.toggle(result.callId);
    })}
    ${isOpen ? html`<pre tabindex="0" aria-label="Result"><code>${visibleText(result.text)}</code></pre>` : nothing}
  </div>`;
}

function outcome(result: Result): string {
  if (result.synthetic) {
    return 'No result';
  }
  return result.isError ? 'Error' : counted(result.text.split('\n').length, 'line');
}
