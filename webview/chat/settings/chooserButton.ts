import { html, type TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';

interface Chooser {
  /** The accessible name: the setting and its value. */
  readonly label: string;
  readonly title: string;
  readonly face: TemplateResult;
  readonly asks: ToHost;
}

/** A button that shows the current choice and opens VS Code's list of choices. */
export function chooserButton({ label, title, face, asks }: Chooser): TemplateResult {
  return html`<button type="button" class="model-button" title="${title}" aria-label="${label}" aria-haspopup="listbox" @click=${posting(asks)}>
    ${face}${icon('chevron-down')}
  </button>`;
}
