import { html, type TemplateResult } from 'lit';
import type { Banner } from '../../src/protocol/view.js';
import { iconButton, linkButton } from '../shared/controls.js';
import { post } from '../shared/events.js';
import { icon } from '../shared/icon.js';
import { visibleText } from '../shared/visibleText.js';

/** What the user must know, with the next action. Errors interrupt a screen reader, the others wait for a pause. */
export function banners(all: readonly Banner[], from: EventTarget): TemplateResult {
  return html`<div class="banners">${all.map((banner) => oneBanner(banner, from))}</div>`;
}

function oneBanner(banner: Banner, from: EventTarget): TemplateResult {
  const send = (action: Banner['actions'][number]): void => {
    post(from, { type: 'bannerAction', bannerId: banner.id, action: action.action, argument: action.argument });
  };
  return html`<div class="banner ${banner.severity}" role=${banner.severity === 'error' ? 'alert' : 'status'}>
    ${icon(banner.severity)}
    <div class="banner-text">
      ${visibleText(banner.text)}
      ${banner.actions
        .filter((action) => action.action !== 'dismiss')
        .map((action) =>
          linkButton(action.label, () => {
            send(action);
          }),
        )}
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
