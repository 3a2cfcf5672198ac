import { html, type TemplateResult } from 'lit';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import { icon } from '../../shared/controls/icon.js';
import { tokens } from '../../shared/numbers.js';
import { waitingCalls } from '../questions/waitingCalls.js';
import { visibleText } from '../../shared/visibleText.js';

export function moreButton(which: 'earlier' | 'later', count: number, onClick: () => void): TemplateResult {
  const name = which === 'earlier' ? 'arrow-up' : 'arrow-down';
  return html`<button type="button" class="more" @click=${onClick}>${icon(name)}Show ${which} messages (${tokens(count)})</button>`;
}

/** The button that jumps to the latest messages, where calls may need approval. `hasLater`: they are not loaded. */
export function latestButton(hasLater: boolean, entries: readonly EntryView[], onClick: () => void): TemplateResult {
  const [call] = waitingCalls(entries);
  if (call !== undefined) {
    return html`<button type="button" class="jump waits" @click=${onClick}>${icon('shield')}${visibleText(call.name)} needs approval</button>`;
  }
  const label = hasLater ? 'Go to the latest' : 'Jump to latest';
  return html`<button type="button" class="jump" @click=${onClick}>${icon('arrow-down')}${label}</button>`;
}
