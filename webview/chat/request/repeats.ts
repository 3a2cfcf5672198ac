import { html, nothing, type TemplateResult } from 'lit';
import type { RepeatedResults, RepeatView } from '../../../src/protocol/panel/requestRows.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { closedGroup, moreRows, type RowsScope } from '../rows/blockRows.js';

/** Says below a tool call that the next request has a reference to its result. Nothing for a result sent in full. */
export function repeatLine(repeat: RepeatView | undefined): TemplateResult | typeof nothing {
  if (repeat === undefined) {
    return nothing;
  }
  const { of, isChanged, saved } = repeat;
  const what = isChanged ? 'the difference to' : 'a reference to';
  return html`<div class="tool-told">Next request: ${what} ${visibleText(of)}, saves ${counted(saved, 'token')}</div>`;
}

/** Lists the tool results that the next request sends as references. Closed by default. */
export function repeatsGroup({ results, saved, first }: RepeatedResults, scope: RowsScope): TemplateResult | typeof nothing {
  const rows = (): TemplateResult => html`<ul>
      ${first.map((each) => repeatRow(each, scope.chatId))}
    </ul>
    ${moreRows(results - first.length, 'more result')}`;
  const figures = html`<span class="figures" title="Saved tokens">−${tokens(saved)}</span>`;
  return closedGroup({ name: 'Results sent as references', key: 'repeats', count: results, figures, rows }, scope);
}

function repeatRow({ label, of, isChanged, saved, messageId, callId }: RepeatView, chatId: string): TemplateResult {
  const why = isChanged ? `differs from ${of}` : `same as ${of}`;
  const show = html`Show full text<span class="sr-only"> of ${visibleText(label)}</span>`;
  return html`<li class="tool left-out is-repeat">
    ${icon('references')}<span class="item-name" title=${label}>${visibleText(label)}</span>
    <span class="left-out-why" title=${why}>${visibleText(why)}</span>
    ${linkButton(show, posting({ type: 'openResult', chatId, messageId, callId }))}
    <span class="figures item-tokens" title="Saved tokens">−${tokens(saved)}</span>
  </li>`;
}
