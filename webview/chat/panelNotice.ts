import { html, nothing, type TemplateResult } from 'lit';
import { iconButton, linkButton } from '../shared/buttons.js';
import { posting } from '../shared/events.js';
import { icon } from '../shared/icon.js';

/** What the panel itself has to say: that it failed, or (`info`) why it did not do what the user asked. */
export interface PanelNotice {
  readonly severity: 'error' | 'info';
  readonly text: string;
}

export function panelNotice(notice: PanelNotice | null, onDismiss: () => void): TemplateResult | typeof nothing {
  return notice === null
    ? nothing
    : html`<div class="banner ${notice.severity}" role=${notice.severity === 'error' ? 'alert' : 'note'}>
        ${icon(notice.severity)}
        <div class="banner-text">
          ${notice.text}
          ${
            notice.severity === 'error'
              ? html`<div class="banner-actions">${linkButton('Show log', posting({ type: 'showLog' }))}</div>`
              : nothing
          }
        </div>
        ${iconButton({ label: 'Dismiss', icon: 'close', onClick: onDismiss })}
      </div>`;
}
