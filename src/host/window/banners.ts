import type { LoupeError } from '../../engine/errors.js';
import { failureActions } from '../../engine/failures/failures.js';
import type { Banner, BannerAction } from '../../protocol/panel/view.js';
import { Listeners } from '../../engine/listeners.js';

const URGENCY: Readonly<Record<Banner['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** The most banners to show at a time. More would hide the conversation. The log has all failures. */
const MOST_BANNERS = 3;

export interface BannersPorts {
  logError(error: LoupeError): void;
  /** Shows a text in a VS Code notification that closes automatically, because a banner needs a visible panel. */
  notify(text: string): void;
}

/** The current banners, one per id. */
export class Banners {
  readonly #ports: BannersPorts;
  readonly #banners = new Map<string, Banner>();
  readonly #listeners = new Listeners<[]>();
  readonly onChange = this.#listeners.add;
  /** The failed operation that the visible failure banner reports; null without one, or when Loupe itself failed. */
  #failed: string | null = null;

  constructor(ports: BannersPorts) {
    this.#ports = ports;
  }

  show(banner: Banner): void {
    this.#banners.delete(banner.id);
    this.#banners.set(banner.id, banner);
    this.#listeners.call();
  }

  hide(id: string): void {
    if (this.#banners.delete(id)) {
      this.#listeners.call();
    }
  }

  /**
   * Logs a failure and shows a banner, unless the user cancelled. A harmless failure is only shown as a notification.
   * `operation` names the user's action; null when Loupe itself failed.
   */
  fail(error: LoupeError, operation: string | null): void {
    if (error.isHarmless) {
      this.#ports.notify(error.message);
      return;
    }
    this.#ports.logError(error);
    if (error.kind !== 'cancelled') {
      const banner = failureBanner(error);
      this.show(banner);
      this.#failed = banner.id === FAILURE ? operation : this.#failed;
    }
  }

  /** Call this when an operation has succeeded. Hides the failure banner if that operation had failed before. */
  succeeded(operation: string): void {
    if (this.#failed === operation) {
      this.#failed = null;
      this.hide(FAILURE);
    }
  }

  /** Returns the current banners, newest first. */
  list(): readonly Banner[] {
    return [...this.#banners.values()].reverse();
  }
}

/** Returns the banners to show, at most `MOST_BANNERS`: the most urgent first, otherwise in the given order. */
export function mostUrgent(banners: readonly Banner[]): readonly Banner[] {
  return banners.toSorted((a, b) => URGENCY[a.severity] - URGENCY[b.severity]).slice(0, MOST_BANNERS);
}

/** The id of the banner of the last failure. */
export const FAILURE = 'failure';
/** The id of the banner that says that a chat is busy. The banner is hidden when the chat's run has ended. */
export const BUSY = 'busy';

/** Banner buttons that help after a failure. The conversation offers the other recovery actions. */
const HELP: readonly BannerAction[] = [
  { label: 'Choose another model', action: 'selectModel', argument: '' },
  { label: 'Spend settings', action: 'openSpendSettings', argument: '' },
];
const SHOW_LOG: BannerAction = { label: 'Show log', action: 'showLog', argument: '' };
export const DISMISS: BannerAction = { label: 'Dismiss', action: 'dismiss', argument: '' };

/** Returns the banner of a failure. For invalid input, the text suffices; other failures get help and "Show log". */
function failureBanner({ code, kind, message }: LoupeError): Banner {
  const id = code === 'chat.busyHere' || code === 'chat.busyElsewhere' ? BUSY : FAILURE;
  const help = HELP.filter(({ action }) => failureActions(code).some((offered) => offered === action));
  return { id, severity: 'error', text: message, actions: kind === 'invalidInput' ? [DISMISS] : [...help, SHOW_LOG, DISMISS] };
}
