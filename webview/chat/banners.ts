import { html, nothing, type TemplateResult } from 'lit';
import type { Banner } from '../../src/protocol/view.js';
import { iconButton, linkButton } from '../shared/controls.js';
import { post } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/**
 * What the user must know, with the next action. Errors interrupt a screen reader. The others are announced through the
 * panel's status when they come: a live region is not heard that enters the page together with its text.
 */
export function banners(all: readonly Banner[], from: EventTarget): TemplateResult {
  return html`<div class="banners">${all.map((banner) => oneBanner(banner, from))}</div>`;
}

function oneBanner(banner: Banner, from: EventTarget): TemplateResult {
  const send = (action: Banner['actions'][number]): void => {
    post(from, { type: 'bannerAction', bannerId: banner.id, action: action.action, argument: action.argument });
  };
  const link = (action: Banner['actions'][number]): TemplateResult =>
    linkButton(action.label, () => {
      send(action);
    });
  const others = banner.actions.filter(({ action }) => action !== 'dismiss');
  return html`<div class="banner ${banner.severity}" role=${banner.severity === 'error' ? 'alert' : 'note'}>
    ${icon(banner.severity)}
    <div class="banner-text">
      ${visibleText(banner.text)} ${others.length === 0 ? nothing : html`<div class="banner-actions">${others.map(link)}</div>`}
    </div>
    ${banner.actions
      .filter((action) => action.action === 'dismiss')
      .map((action) =>
        iconButton({
          label: action.label,
          icon: 'close',
          onClick: () => {
            send(action);
          },
        }),
      )}
  </div>`;
}
