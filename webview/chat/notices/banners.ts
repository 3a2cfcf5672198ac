import { type TemplateResult, html, nothing } from 'lit';
import type { Banner, BannerAction } from '../../../src/protocol/panel/view.js';
import { iconButton, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { visibleText } from '../../shared/visibleText.js';

/**
 * Shows banners with their actions. Screen readers read error banners as alerts. For other banners, `announcement` adds
 * an announcement, because screen readers ignore a live region that is added together with its text.
 */
export function banners(all: readonly Banner[]): TemplateResult {
  return html`<div class="banners">${all.map(oneBanner)}</div>`;
}

function oneBanner(banner: Banner): TemplateResult {
  const sending = ({ action, argument }: BannerAction): ReturnType<typeof posting> =>
    posting({ type: 'bannerAction', bannerId: banner.id, action, argument });
  const others = banner.actions.filter(({ action }) => action !== 'dismiss');
  return html`<div class="banner ${banner.severity}" role=${banner.severity === 'error' ? 'alert' : 'note'}>
    ${icon(banner.severity)}
    <div class="banner-text">
      ${visibleText(banner.text)} ${others.length === 0 ? nothing : html`<div class="banner-actions">${others.map((action) => linkButton(action.label, sending(action)))}</div>`}
    </div>
    ${banner.actions
      .filter((action) => action.action === 'dismiss')
      .map((action) => iconButton({ label: action.label, icon: 'close', onClick: sending(action) }))}
  </div>`;
}

/** A notice of the panel itself: an error, or for `info` the reason why an action did nothing. */
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

/** Explains what Restricted Mode turns off, why, and how to leave it. */
export function restrictedNotice(): TemplateResult {
  return html`<p class="restricted" role="status">
    In Restricted Mode, Loupe uses no tools, and no rules, references, skills or agents of this folder.
    ${linkButton('Trust this folder', posting({ type: 'manageTrust' }))}
  </p>`;
}
