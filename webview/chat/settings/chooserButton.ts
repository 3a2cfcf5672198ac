import { html, type TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';

interface Chooser {
  /** The accessible name: what is chosen, and the choice. */
  readonly label: string;
  /** The tooltip. */
  readonly title: string;
  readonly face: TemplateResult;
  readonly asks: ToHost;
}

/** A button that shows what is chosen, and opens VS Code's list to choose from. */
export function chooserButton({ label, title, face, asks }: Chooser): TemplateResult {
  return html`<button type="button" class="model-button" title="${title}" aria-label="${label}" aria-haspopup="listbox" @click=${posting(asks)}>
    ${face}${icon('chevron-down')}
  </button>`;
}
