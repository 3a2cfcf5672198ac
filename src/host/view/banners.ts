import type { LoupeError } from '../../engine/errors.js';
import type { Banner, BannerAction } from '../../protocol/view.js';

const URGENCY: Readonly<Record<Banner['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Most banners at a time: below a wall of them nobody finds the conversation. The log has all. */
const MOST_BANNERS = 3;

/** What the user must know now; one banner for each id. */
export class Banners {
  readonly #banners = new Map<string, Banner>();

  show(banner: Banner): void {
    this.#banners.delete(banner.id);
    this.#banners.set(banner.id, banner);
  }

  hide(id: string): void {
    this.#banners.delete(id);
  }

  /** Most urgent first, newest first among equals. */
  list(): readonly Banner[] {
    return [...this.#banners.values()]
      .reverse()
      .toSorted((a, b) => URGENCY[a.severity] - URGENCY[b.severity])
      .slice(0, MOST_BANNERS);
  }
}

/** Of the banner of the last failure. */
export const FAILURE = 'failure';
/** Of the banner of a refusal that is out of date as soon as the run of the chat has ended. */
export const BUSY = 'busy';

const SHOW_LOG: BannerAction = { label: 'Show log', action: 'showLog', argument: '' };
export const DISMISS: BannerAction = { label: 'Dismiss', action: 'dismiss', argument: '' };

/** What a refusal means is clear; of what fails unexpectedly the log knows more. */
export function failureBanner({ code, kind, message }: LoupeError): Banner {
  const id = code === 'chat.busyHere' || code === 'chat.busyElsewhere' ? BUSY : FAILURE;
  return { id, severity: 'error', text: message, actions: kind === 'invalidInput' ? [DISMISS] : [SHOW_LOG, DISMISS] };
}
