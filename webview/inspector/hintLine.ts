import { html, nothing, type TemplateResult } from 'lit';
import type { InspectorHint } from '../../src/protocol/inspector/inspector.js';
import { linkButton } from '../shared/controls/buttons.js';
import { icon } from '../shared/controls/icon.js';

export type RenderedPart = TemplateResult | typeof nothing;

/** What would have cost less, with an action. Use and undo share one button, so that it keeps the focus. */
export function hintLine({ text, offer, done }: InspectorHint, act: (offer: 'use' | 'undo') => void): TemplateResult {
  const button =
    offer === null
      ? nothing
      : linkButton(offer === 'use' ? 'Use it from now on' : 'Undo', () => {
          act(offer);
        });
  return html`<p class="hint-line">
    ${icon('lightbulb')}<span>${text} <span role="status">${done}</span> ${button}</span>
  </p>`;
}
