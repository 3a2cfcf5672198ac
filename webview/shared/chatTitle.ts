import { html, type TemplateResult } from 'lit';
import { visibleText } from './visibleText.js';

/** What a fork adds to the title of its chat, once for each time. */
const FORK_MARK = /( \(fork\))+$/;

/** The title of a chat, cut where there is no room. What tells a fork from its original is never cut. */
export function chatTitle(title: string): TemplateResult {
  const mark = FORK_MARK.exec(title)?.[0] ?? '';
  return html`<span class="cut-title"><span>${visibleText(title.slice(0, title.length - mark.length))}</span><span>${mark}</span></span>`;
}
