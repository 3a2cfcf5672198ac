import { html, nothing, type TemplateResult } from 'lit';
import type { ReplyWindowView } from '../../src/protocol/requestRows.js';
import { basisMark, tokens } from '../shared/numbers.js';

/** The context window after a reply, and what it is made of: with the next message it is what the next request begins with. */
export function replyWindow(window: ReplyWindowView): TemplateResult {
  return html`<div role="group" aria-label="Context window after this reply" class="reply-window">
    <span>Context window after this reply</span>
    <span class="figures">${size(window)}</span>
    ${window.kind === 'known' ? html`<span class="figures reply-window-parts">${parts(window)}</span>` : nothing}
  </div>`;
}

function size(window: ReplyWindowView): string {
  switch (window.kind) {
    case 'known': {
      const { tokens: taken, limit, isEstimate } = window;
      return `${basisMark(isEstimate ? 'estimate' : 'exact')}${tokens(taken)}${limit === null ? '' : ` of ${tokens(limit)}`} tokens`;
    }
    case 'unchanged':
      return 'as before: no later request holds this reply';
    case 'unknown':
      return 'unknown';
  }
}

type Known = Extract<ReplyWindowView, { readonly kind: 'known' }>;

/** What counts is shown also where it is 0, so that the sum can be checked. */
function parts({ freshTokens, cachedTokens, writtenTokens, outputTokens }: Known): string {
  const cache = cachedTokens === null || writtenTokens === null ? [] : [part(cachedTokens, 'read'), part(writtenTokens, 'written')];
  const input = cache.length === 0 ? part(freshTokens, 'in') : part(freshTokens, 'fresh');
  return [input, ...cache, part(outputTokens, 'out')].join(' + ');
}

/** The line breaks between the parts only. */
function part(count: number, name: string): string {
  return `${tokens(count)}\u00a0${name}`;
}
