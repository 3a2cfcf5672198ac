import type { LoupeError } from '../../engine/errors.js';
import type { Banner, BannerAction } from '../../protocol/view.js';

/** Of the banner of the last failure. */
export const FAILURE = 'failure';
/** Of the banner of a refusal that is out of date as soon as the run of the chat has ended. */
export const BUSY = 'busy';

const SHOW_LOG: BannerAction = { label: 'Show log', action: 'showLog', argument: '' };
const DISMISS: BannerAction = { label: 'Dismiss', action: 'dismiss', argument: '' };

/** What a refusal means is clear; of what fails unexpectedly the log knows more. */
export function failureBanner({ code, kind, message }: LoupeError): Banner {
  const id = code === 'chat.busyHere' || code === 'chat.busyElsewhere' ? BUSY : FAILURE;
  return { id, severity: 'error', text: message, actions: kind === 'invalidInput' ? [DISMISS] : [SHOW_LOG, DISMISS] };
}
