import { html, type TemplateResult } from 'lit';
import { linkButton } from '../../shared/controls/buttons.js';
import { post } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';

/** Shown while a message waits for a summary, because the request would be too long without one. */
export const AWAITED = 'Loupe sends your message when the summary is ready';

/** Shows above the message box that a message waits for a summary. *Cancel* cancels the summary. */
export function awaitedStrip(chatId: string): TemplateResult {
  const cancel = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof Element) {
      post(currentTarget, { type: 'cancelSummary', chatId });
      currentTarget.closest<HTMLElement>('loupe-composer')?.focus();
    }
  };
  return html`<div class="strip">${icon('loading')}<span>${AWAITED}</span> ${linkButton('Cancel', cancel)}</div>`;
}
