import type { LoupeError } from '../../engine/errors.js';
import { failureActions } from '../../engine/failures/failures.js';
import { PAGE_FAILURES } from '../../engine/failures/pages.js';
import type { ToHost } from '../../protocol/panel/toHost.js';
import type { Banner, BannerAction } from '../../protocol/panel/view.js';
import { Listeners } from '../../engine/listeners.js';

const URGENCY: Readonly<Record<Banner['severity'], number>> = { error: 0, warning: 1, info: 2 };

/** Actions after which banners about earlier actions are old. The message box and the chat then show the result. */
const GOES_ON: ReadonlySet<string> = new Set<ToHost['type']>([
  ...(['send', 'sendQueued', 'retry', 'answerRetry', 'continue', 'goOnOnce', 'excludeTool', 'setKeyAndRetry'] as const),
  ...(['bringBack', 'showVersion', 'beginEdit', 'fork', 'selectModel', 'selectAgent', 'changeSetting', 'writeSummary'] as const),
]);

/** Buttons of banners about something that is still open: an offer, or a running operation. */
const STILL_OPEN: ReadonlySet<BannerAction['action']> = new Set<BannerAction['action']>(['importChats', 'cancelPage']);

/** Maximum number of visible banners. More banners would hide the conversation. The log has all failures. */
const MOST_BANNERS = 3;

export interface BannersPorts {
  logError(error: LoupeError): void;
  /** Shows a text in a VS Code notification that closes automatically. A banner would need a visible panel. */
  notify(text: string): void;
}

/** The current banners, one per id. */
export class Banners {
  readonly #ports: BannersPorts;
  readonly #banners = new Map<string, Banner>();
  readonly #listeners = new Listeners<[]>();
  readonly onChange = this.#listeners.add;
  /** The failed operation in the failure banner. Null without this banner, or after a failure of Loupe itself. */
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
   * Logs a failure and shows a banner, unless the user cancelled. A harmless failure is only a notification.
   * `operation`: the user's action. Null for a failure of Loupe itself.
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

  /** Call this before an operation of the user. Hides the banners about earlier actions when the user goes on. */
  began(operation: string): void {
    if (GOES_ON.has(operation)) {
      const old = [...this.#banners.values()].filter(({ actions }) => !actions.some(({ action }) => STILL_OPEN.has(action)));
      old.forEach(({ id }) => {
        this.hide(id);
      });
    }
  }

  /** Call this after a successful operation. Hides the failure banner if the banner is about this operation. */
  succeeded(operation: string): void {
    if (this.#failed === operation) {
      this.#failed = null;
      this.hide(FAILURE);
    }
  }

  list(): readonly Banner[] {
    return [...this.#banners.values()].reverse();
  }
}

/** Returns the banners to show, at most `MOST_BANNERS`. The most urgent banners come first. */
export function mostUrgent(banners: readonly Banner[]): readonly Banner[] {
  return banners.toSorted((a, b) => URGENCY[a.severity] - URGENCY[b.severity]).slice(0, MOST_BANNERS);
}

export const FAILURE = 'failure';
/** Id of the banner about a busy chat. The end of the chat's run hides the banner. */
export const BUSY = 'busy';
/** The id of the banner that says that a chat was copied. */
export const CHAT_COPIED = 'chatCopied';

export const CHOOSE_MODEL: BannerAction = { label: 'Choose another model', action: 'selectModel', argument: '' };

/** Buttons of banners that help after a failure. The conversation has the other buttons to recover. */
const HELP: readonly BannerAction[] = [CHOOSE_MODEL, { label: 'Spend settings', action: 'openSpendSettings', argument: '' }];
const SHOW_LOG: BannerAction = { label: 'Show log', action: 'showLog', argument: '' };
const RETRY_PAGE: BannerAction = { label: 'Retry', action: 'retryPage', argument: '' };
export const DISMISS: BannerAction = { label: 'Dismiss', action: 'dismiss', argument: '' };

/** Returns the banner of a failure, with buttons for help and *Show log*. Invalid input needs no buttons. */
function failureBanner({ code, kind, message }: LoupeError): Banner {
  const id = code === 'chat.busyHere' || code === 'chat.busyElsewhere' ? BUSY : FAILURE;
  const retry = Object.hasOwn(PAGE_FAILURES, code) ? [RETRY_PAGE] : [];
  const help = [...retry, ...HELP.filter(({ action }) => failureActions(code).some((offered) => offered === action))];
  return { id, severity: 'error', text: message, actions: kind === 'invalidInput' ? [DISMISS] : [...help, SHOW_LOG, DISMISS] };
}
