import { html, type TemplateResult } from 'lit';
import type { NamedModel } from '../../../src/protocol/panel/nextRequest.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';

/** Opens the settings of a model whose context size is unknown. `label` is the text of the button. */
export function setLimitButton({ provider, model, label: name }: NamedModel, label: string): TemplateResult {
  const what = `the context size of ${revealHidden(name)}`;
  return html`<button
    type="button"
    class="link-button"
    title="Set ${what}"
    aria-label="${label}: ${what}"
    @click=${posting({ type: 'setModelLimit', provider, model })}
  >
    ${label}
  </button>`;
}
